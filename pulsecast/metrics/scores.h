// How far forecasts were from what came: squared and absolute errors, per channel and per step.
//
// Sums are kept for every channel and step, in double. What one channel adds up it adds in the
// order of the windows, and no sum is shared between channels; so channels may be scored on as many
// threads as there are, and the result has the same bits.
//
// Errors are of scaled values. A scale per channel turns the same sums into errors in original
// units (the mean that the scaler took away cancels in a difference), so nothing is scored twice.
// Over several channels, original units are an average of unlike things: it is dominated by the
// channels with large numbers, which is why the literature scores scaled values.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pulsecast/batch/batch.h"
#include "pulsecast/metrics/error_table.h"

namespace pulsecast {

// The errors of one channel.
class ErrorSums {
 public:
  explicit ErrorSums(std::size_t horizon) : squares_(horizon), absolutes_(horizon) {}

  // One window more. forecast (H), truth (H). A value that is not finite makes every mean it is
  // part of NaN or infinite: a forecast that failed must not look like one that was not made.
  void add(std::span<const float> forecast, std::span<const float> truth);

  std::size_t windows() const { return windows_; }
  // (H), sums over windows.
  std::span<const double> squares() const { return squares_; }
  std::span<const double> absolutes() const { return absolutes_; }

 private:
  std::size_t windows_ = 0;
  std::vector<double> squares_;
  std::vector<double> absolutes_;
};

// The errors of all channels.
class Scores {
 public:
  Scores(std::size_t channels, std::size_t horizon)
      : horizon_(horizon), channels_(channels, ErrorSums(horizon)) {}

  std::size_t channels() const { return channels_.size(); }
  std::size_t horizon() const { return horizon_; }
  // Channels of windows scored so far. Each channel may have its own number of windows.
  std::size_t rows() const;

  // To add to. Different channels may be added to by different threads at once.
  ErrorSums& channel(std::size_t index) { return channels_[index]; }
  const ErrorSums& channel(std::size_t index) const { return channels_[index]; }
  // The windows of a batch, one after the other, against its targets; channels that are missing
  // are not scored. forecast (B, C, H).
  void add(const Forecast& forecast, const Batch& batch);
  // The part of add() that is a channel's own.
  void add_channel(std::size_t channel, const Forecast& forecast, const Batch& batch);

  // Of scaled values.
  ErrorTable table() const;
  // In original units. scales (C): how large 1 is in each channel.
  ErrorTable table(std::span<const double> scales) const;
  // Mean absolute error of each channel, scaled: what MASE divides. (C)
  std::vector<double> absolute_errors() const;

 private:
  std::size_t horizon_;
  std::vector<ErrorSums> channels_;
};

}  // namespace pulsecast
