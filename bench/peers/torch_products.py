"""Matrix products through PyTorch, which is to say through MKL: the other side of ./dev bench products.

Reads "M_K_N_THREADS REPEATS" lines and answers with the seconds of one product (M, K) (K, N).
"""

import sys
import time

import torch


def main():
    print(f"PyTorch {torch.__version__}, {'MKL' if torch.backends.mkl.is_available() else 'no MKL'}", flush=True)
    for line in sys.stdin:
        name, repeats = line.split()
        m, k, n, threads = (int(part) for part in name.split("_"))
        torch.set_num_threads(threads)
        a, b, c = torch.randn(m, k), torch.randn(k, n), torch.empty(m, n)
        torch.mm(a, b, out=c)
        start = time.perf_counter()
        for _ in range(int(repeats)):
            torch.mm(a, b, out=c)
        print((time.perf_counter() - start) / int(repeats), flush=True)


if __name__ == "__main__":
    main()
