#include "bench/peer.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace pulsecast::bench {

Peer::Peer(const std::string& python, const std::string& script) {
  if (python.empty()) {
    description_ = "no peer: run './dev peers' once to install PyTorch 2.13.0";
    return;
  }
  ::signal(SIGPIPE, SIG_IGN);
  // Closed in children, those of other peers too: a peer ends when nobody else can write to it.
  int in[2];
  int out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) {
    description_ = "no peer: could not make a pipe";
    return;
  }
  const std::string path = std::string(PULSECAST_PEERS_DIR) + "/" + script;
  process_ = ::fork();
  if (process_ == 0) {
    ::dup2(in[0], STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    ::execlp(python.c_str(), python.c_str(), path.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  to_ = in[1];
  from_ = out[0];
  const std::optional<std::string> greeting = read_line();
  if (greeting) {
    description_ = *greeting;
  } else {
    stop();
    description_ = "no peer: " + python + " " + script + " did not start";
  }
}

Peer::~Peer() { stop(); }

void Peer::stop() {
  if (process_ <= 0) return;
  ::close(to_);
  ::close(from_);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
}

std::optional<std::string> Peer::ask(const std::string& line) {
  if (!available()) return std::nullopt;
  const std::string text = line + "\n";
  if (::write(to_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    return std::nullopt;
  }
  return read_line();
}

std::optional<double> Peer::seconds(const std::string& name, int repeats) {
  const std::optional<std::string> answer = ask(name + " " + std::to_string(repeats));
  if (!answer || *answer == "unknown") return std::nullopt;
  return std::atof(answer->c_str());
}

std::optional<std::string> Peer::read_line() {
  for (;;) {
    const std::size_t end = buffer_.find('\n');
    if (end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    char bytes[4096];
    const ssize_t count = ::read(from_, bytes, sizeof(bytes));
    if (count <= 0) return std::nullopt;
    buffer_.append(bytes, static_cast<std::size_t>(count));
  }
}

}  // namespace pulsecast::bench
