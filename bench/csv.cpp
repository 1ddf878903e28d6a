// Reading a CSV file of the shape of Electricity (26304 x 321): seconds and peak memory, ours and
// pandas' read_csv in turn in the same run.
//
// Every read happens in a process of its own, so that memory is fresh and its peak is that of one
// read; both sides time the read alone, without the start of the process. The file has been read
// once before, so it comes from the page cache. Both must find the same shape and the same sum.

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/random.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/readers/read_table.h"

namespace {

using namespace pulsecast;

struct Options {
  std::size_t rows = 26304;
  std::size_t columns = 321;
  std::size_t threads = 0;
  int rounds = 7;
  std::string peer;
  bool json = false;
};

struct Read {
  double seconds = 0;
  std::size_t rows = 0;
  std::size_t columns = 0;
  double sum = 0;
  double peak_megabytes = 0;
  std::string version;
};

// "short": two decimals, as meters give; "long": the 17 digits that a program prints of a double.
void write_file(const std::filesystem::path& path, const Options& options, bool is_short) {
  const random::Stream stream{.seed = 1, .purpose = random::Purpose::kSynthetic};
  AtomicFile file(path);
  std::string line = "date";
  for (std::size_t c = 0; c < options.columns; ++c) line += fmt::format(",{}", c);
  file.write(line + "\n");
  for (std::size_t r = 0; r < options.rows; ++r) {
    const Instant stamp{1'325'376'000'000 + static_cast<std::int64_t>(r) * 3'600'000};
    line = to_text(stamp, Zone());
    for (std::size_t c = 0; c < options.columns; ++c) {
      const double value = 1000 * random::uniform(stream, r * options.columns + c);
      line += is_short ? fmt::format(",{:.2f}", value) : fmt::format(",{}", value);
    }
    file.write(line + "\n");
  }
  file.commit();
}

double megabytes(const rusage& usage) { return static_cast<double>(usage.ru_maxrss) / 1024; }

// Runs `body` in a child whose standard output comes back as text, with the child's peak memory.
template <typename Body>
std::optional<Read> in_child(Body body) {
  int ends[2];
  if (::pipe(ends) != 0) return std::nullopt;
  std::fflush(stdout);  // or the child would print it too
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    ::dup2(ends[1], STDOUT_FILENO);
    body();
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[512];
  for (ssize_t count; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  int status = 0;
  rusage usage{};
  ::wait4(child, &status, 0, &usage);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  Read read;
  std::istringstream(text) >> read.seconds >> read.rows >> read.columns >> read.sum >> read.version;
  read.peak_megabytes = megabytes(usage);
  return read;
}

std::optional<Read> read_ours(const std::string& path, std::size_t threads) {
  return in_child([&] {
    ThreadPool pool({.threads = threads, .keep_workers_off_caller = true});
    const auto start = std::chrono::steady_clock::now();
    const Table table = read_table(path, {}, pool);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    double sum = 0;
    for (const Column& column : table.columns) {
      for (const double value : column.values) sum += value;
    }
    fmt::print("{} {} {} {} -\n", took.count(), table.rows(), table.columns.size(), sum);
    std::fflush(stdout);
    ::_exit(0);
  });
}

std::optional<Read> read_peer(const std::string& python, const std::string& path) {
  const std::string script = std::string(PULSECAST_PEERS_DIR) + "/pandas_csv.py";
  return in_child(
      [&] { ::execlp(python.c_str(), python.c_str(), script.c_str(), path.c_str(), nullptr); });
}

struct Side {
  std::vector<Read> reads;
  double median() const {
    std::vector<double> seconds;
    for (const Read& read : reads) seconds.push_back(read.seconds);
    std::nth_element(seconds.begin(), seconds.begin() + static_cast<long>(seconds.size() / 2),
                     seconds.end());
    return seconds[seconds.size() / 2];
  }
  double best() const {
    double least = reads.front().seconds;
    for (const Read& read : reads) least = std::min(least, read.seconds);
    return least;
  }
  double peak() const {
    double most = 0;
    for (const Read& read : reads) most = std::max(most, read.peak_megabytes);
    return most;
  }
};

nlohmann::ordered_json side_json(const Side& side, double matrix_megabytes) {
  return {{"median_seconds", side.median()},
          {"best_seconds", side.best()},
          {"peak_megabytes", side.peak()},
          {"peak_over_matrix", side.peak() / matrix_megabytes}};
}

bool agree(const Read& a, const Read& b) {
  return a.rows == b.rows && a.columns == b.columns &&
         std::abs(a.sum - b.sum) <= 1e-9 * std::abs(a.sum);
}

int run(const Options& options) {
  const double matrix =
      static_cast<double>(options.rows * options.columns) * sizeof(double) / (1024 * 1024);
  nlohmann::ordered_json document;
  document["rows"] = options.rows;
  document["columns"] = options.columns;
  document["rounds"] = options.rounds;
  document["matrix_megabytes"] = matrix;
  std::string peer_state = options.peer.empty() ? "not asked for (--peer PYTHON)" : "";
  if (!options.json) {
    fmt::print("{} x {}, {:.1f} MB as doubles; median of {} reads, in turn\n", options.rows,
               options.columns, matrix, options.rounds);
    fmt::print("{:<8}{:>10}{:>12}{:>12}{:>14}{:>10}\n", "numbers", "file MB", "reader", "seconds",
               "peak/matrix", "speed-up");
  }
  for (const bool is_short : {true, false}) {
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / fmt::format("bench_csv_{}.csv", ::getpid());
    write_file(path, options, is_short);
    Side ours;
    Side peer;
    bool is_same = true;
    for (int round = 0; round < options.rounds; ++round) {
      const auto own = read_ours(path.string(), options.threads);
      if (!own) {
        std::fprintf(stderr, "bench_csv: our read failed\n");
        return 1;
      }
      ours.reads.push_back(*own);
      if (!peer_state.empty()) continue;
      const auto other = read_peer(options.peer, path.string());
      if (!other) {
        peer_state = fmt::format("{} cannot import pandas", options.peer);
        continue;
      }
      is_same = is_same && agree(*own, *other);
      peer.reads.push_back(*other);
    }
    const double size = static_cast<double>(std::filesystem::file_size(path)) / (1024 * 1024);
    std::filesystem::remove(path);
    if (!is_same) {
      std::fprintf(stderr, "bench_csv: the two readers found different values\n");
      return 1;
    }
    const char* numbers = is_short ? "short" : "long";
    document[numbers]["file_megabytes"] = size;
    document[numbers]["pulsecast"] = side_json(ours, matrix);
    document[numbers]["pandas"] = nullptr;
    if (!peer.reads.empty()) {
      document[numbers]["pandas"] = side_json(peer, matrix);
      document[numbers]["pandas"]["version"] = peer.reads.front().version;
      document[numbers]["speed_up"] = peer.median() / ours.median();
    }
    if (options.json) continue;
    fmt::print("{:<8}{:>10.1f}{:>12}{:>12.3f}{:>14.2f}{:>10}\n", numbers, size, "pulsecast",
               ours.median(), ours.peak() / matrix, "");
    if (!peer.reads.empty()) {
      fmt::print("{:<8}{:>10}{:>12}{:>12.3f}{:>14.2f}{:>9.2f}x\n", "", "",
                 "pandas " + peer.reads.front().version, peer.median(), peer.peak() / matrix,
                 peer.median() / ours.median());
    }
  }
  if (!peer_state.empty()) {
    document["peer"] = peer_state;
    if (!options.json) fmt::print("pandas: {}\n", peer_state);
  }
  if (options.json) fmt::print("{}\n", document.dump(2));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Reads a large CSV file, beside pandas.", "bench_csv");
  app.add_option("--rows", options.rows, "rows of the file");
  app.add_option("--columns", options.columns, "channels of the file");
  app.add_option("--threads", options.threads, "our threads; 0 is one per CPU that it may use");
  app.add_option("--rounds", options.rounds, "reads of each")->check(CLI::PositiveNumber);
  app.add_option("--peer", options.peer, "Python with pandas, to run in turn with ours");
  app.add_flag("--json", options.json, "print JSON");
  CLI11_PARSE(app, argc, argv);
  return run(options);
}
