// Attention by its formula, in double; gradients by the textbook, with the weights kept.
#pragma once

#include "pulsecast/kernels/attention/attention.h"

namespace pulsecast::kernels::reference {

void attention(const AttentionShape& shape, const float* q, const float* k, const float* v,
               const AttentionDropout& dropout, float* out);
void attention_backward(const AttentionShape& shape, const float* q, const float* k, const float* v,
                        const AttentionDropout& dropout, const float* grad_out, float* grad_q,
                        float* grad_k, float* grad_v);

}  // namespace pulsecast::kernels::reference
