// How far training, or other long work, is: a bar that overwrites itself on a terminal, now and
// then a line elsewhere.
//
//   epoch 3/30 [=======>                ] 128/312  loss 0.4321  85 steps/s  1:23 left
//
// The time left is that of all epochs at the mean pace so far, pauses for validation included;
// early stopping may end it sooner. Written to standard error as a rule, since standard output is
// for results; what cannot be written is not missed.
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace pulsecast::cli {

class Progress {
 public:
  enum class Mode { kBar, kLines, kQuiet };

  struct Options {
    Mode mode = Mode::kLines;
    // Least seconds from one line to the next in kLines, but that every epoch's end has its own.
    double seconds_a_line = 30.0;
    // Seconds from any start, never backwards; empty is the steady clock.
    std::function<double()> clock = {};
    // Characters across; empty asks the terminal each time, which may be resized.
    std::function<std::size_t()> width = {};
  };

  // kQuiet where asked, else a bar where it can be overwritten, else lines.
  static Mode mode_for(std::FILE* out, bool quiet);

  Progress(std::FILE* out, Options options);
  // As done().
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `epoch` of `epochs`, from 1; `step` steps of its `steps` are done. Draws at most ten times a
  // second, so it may be called after every step. May be called from one thread at a time.
  void update(std::size_t epoch, std::size_t epochs, std::size_t step, std::size_t steps,
              double loss);
  // `done` of `total` things of one kind, "origins": work that has no epochs.
  void update(std::string_view things, std::size_t done, std::size_t total);
  // A line to keep, above the bar. Without '\n'.
  void line(std::string_view text);
  // Takes the bar away. A later update() draws it again, for new work that has a pace of its own.
  void done();

 private:
  struct State {
    std::size_t epoch = 0;
    std::size_t epochs = 0;
    std::size_t step = 0;
    std::size_t steps = 0;
    double loss = 0.0;

    double done() const;   // steps of all epochs so far
    double total() const;  // steps of all epochs
  };

  void show(const State& state);
  std::string head() const;
  std::string pace() const;
  std::string bar() const;
  void draw();
  // In one piece, so that a bar is never half drawn.
  void write(std::string_view text);

  std::FILE* out_;
  Options options_;
  State state_;
  std::string things_;  // empty: steps of epochs
  bool is_drawn_ = false;
  std::optional<double> last_written_;
  // Where the pace is measured from: the first update of the work, which in a resumed run is not
  // step 1. Work is new after done(), and where it goes back, as a training for the test does.
  double start_time_ = 0.0;
  double start_done_ = 0.0;
};

// "45 s", "1:23", "2:03:04", "123 h".
std::string duration_text(double seconds);

}  // namespace pulsecast::cli
