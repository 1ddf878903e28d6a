#include "apps/cli/terminal/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "apps/cli/terminal/plain_text.h"
#include "apps/cli/terminal/terminal.h"

namespace pulsecast::cli {
namespace {

constexpr double kSecondsADraw = 0.1;
constexpr std::size_t kLeastBar = 10;
constexpr std::size_t kLongestBar = 40;
// To the line's start, and erase to its end.
constexpr std::string_view kErase = "\r\x1b[K";

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 59.5) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 100.0 * 3600.0) return fmt::format("{:.0f} h", seconds / 3600.0);
  const auto whole = std::lround(seconds);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

double Progress::State::done() const {
  return static_cast<double>(epoch > 0 ? epoch - 1 : 0) * static_cast<double>(steps) +
         static_cast<double>(step);
}

double Progress::State::total() const {
  return static_cast<double>(epochs) * static_cast<double>(steps);
}

Progress::Mode Progress::mode_for(std::FILE* out, bool quiet) {
  if (quiet) return Mode::kQuiet;
  return is_terminal(out) ? Mode::kBar : Mode::kLines;
}

Progress::Progress(std::FILE* out, Options options) : out_(out), options_(std::move(options)) {
  if (!options_.clock) options_.clock = steady_seconds;
  if (!options_.width) options_.width = [out] { return terminal_width(out); };
}

Progress::~Progress() { done(); }

void Progress::update(std::size_t epoch, std::size_t epochs, std::size_t step, std::size_t steps,
                      double loss) {
  things_.clear();
  show({epoch, epochs, step, steps, loss});
}

void Progress::update(std::string_view things, std::size_t done, std::size_t total) {
  things_ = things;
  show({1, 1, done, total, 0.0});
}

void Progress::show(const State& state) {
  if (options_.mode == Mode::kQuiet) return;
  const bool is_new = state_.epochs == 0 || state.done() < state_.done();
  state_ = state;
  const double time = options_.clock();
  if (is_new) {
    start_time_ = time;
    start_done_ = state_.done();
    // Lines begin when there is something to tell; a bar at once.
    if (options_.mode == Mode::kLines) last_written_ = time;
  }
  const bool is_bar = options_.mode == Mode::kBar;
  const double pause = is_bar ? kSecondsADraw : options_.seconds_a_line;
  const bool is_due = !last_written_ || time - *last_written_ >= pause;
  if (is_bar && is_due) {
    draw();
  } else if (!is_bar && (is_due || state.step == state.steps)) {
    write(fmt::format("{} {}/{}{}\n", head(), state.step, state.steps, pace()));
  } else {
    return;
  }
  last_written_ = time;
}

void Progress::line(std::string_view text) {
  if (options_.mode == Mode::kQuiet) return;
  const bool redraws = is_drawn_;
  std::string whole(redraws ? kErase : "");
  whole += text;
  whole += '\n';
  if (redraws) whole += bar();
  write(whole);
}

void Progress::done() {
  if (is_drawn_) write(kErase);
  is_drawn_ = false;
  last_written_.reset();
  state_ = {};
}

std::string Progress::head() const {
  return things_.empty() ? fmt::format("epoch {}/{} ", state_.epoch, state_.epochs) : things_;
}

std::string Progress::pace() const {
  std::string text = things_.empty() ? fmt::format("  loss {:.4g}", state_.loss) : "";
  const double elapsed = options_.clock() - start_time_;
  const double steps = state_.done() - start_done_;
  if (elapsed > 0.0 && steps > 0.0) {
    const double rate = steps / elapsed;
    const double left = std::max(0.0, state_.total() - state_.done()) / rate;
    text += fmt::format("  {} {}/s  {} left",
                        rate < 10.0 ? fmt::format("{:.2g}", rate) : fmt::format("{:.0f}", rate),
                        things_.empty() ? "steps" : things_, duration_text(left));
  }
  return text;
}

std::string Progress::bar() const {
  const std::string head = things_.empty() ? this->head() : things_ + " ";
  const std::string tail = fmt::format(" {}/{}{}", state_.step, state_.steps, pace());
  // The last column stays free: some terminals wrap as soon as it is written.
  const std::size_t width = std::max<std::size_t>(options_.width(), 2) - 1;
  const std::size_t texts = head.size() + tail.size() + 2;
  if (texts + kLeastBar > width) return plain_text(head + tail.substr(1), width, true);
  const std::size_t length = std::min(width - texts, kLongestBar);
  const double share = state_.total() > 0.0 ? state_.done() / state_.total() : 0.0;
  const auto filled =
      static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(length));
  std::string bar(length, ' ');
  std::fill_n(bar.begin(), filled, '=');
  if (filled < length) bar[filled] = '>';
  return head + "[" + bar + "]" + tail;
}

void Progress::draw() {
  is_drawn_ = true;
  write(std::string(kErase) + bar());
}

void Progress::write(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), out_);
  std::fflush(out_);
}

}  // namespace pulsecast::cli
