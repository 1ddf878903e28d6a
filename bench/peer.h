// Another framework, measured beside us: a child process that runs a named case when told to.
//
// The protocol is a line each way: "CASE REPEATS" in, the seconds of one repeat out. A peer that
// cannot be started is reported, never skipped in silence.
#pragma once

#include <optional>
#include <string>

namespace pulsecast::bench {

class Peer {
 public:
  // Starts `python peers/SCRIPT`. Where python is empty or the script fails at once, available() is
  // false and problem() says why.
  Peer(const std::string& python, const std::string& script);
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  bool available() const { return process_ > 0; }
  // What the peer calls itself ("PyTorch 2.13.0, 2 threads"), or why there is none.
  const std::string& description() const { return description_; }

  // A line each way; nothing if the peer is gone.
  std::optional<std::string> ask(const std::string& line);
  // Seconds of one repeat, the mean over `repeats`; nothing if the peer has no such case.
  std::optional<double> seconds(const std::string& name, int repeats);

 private:
  std::optional<std::string> read_line();
  void stop();

  int process_ = -1;
  int to_ = -1;
  int from_ = -1;
  std::string buffer_;
  std::string description_;
};

}  // namespace pulsecast::bench
