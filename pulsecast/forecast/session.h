// Forecasts with one model, one after the other: what forecasting needs beside the model and can
// use again.
//
// A session belongs to one thread at a time. The model is only read, so any number of sessions may
// share one. It keeps scratch memory, what the calendar says of each step, and the time encodings
// of calendars that it has met: the next forecast computes what is new and no more.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/base/arena.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/base/watch.h"
#include "pulsecast/batch/batch.h"
#include "pulsecast/data/series/row_range.h"
#include "pulsecast/data/series/series.h"
#include "pulsecast/forecast/align.h"
#include "pulsecast/forecast/calendar_keys.h"
#include "pulsecast/forecast/channel_forecast.h"
#include "pulsecast/forecast/forecast_ranges.h"
#include "pulsecast/forecast/step_calendar.h"
#include "pulsecast/model/inference.h"

namespace pulsecast {

class ForecastSession {
 public:
  // `model` and `pool` outlive it.
  ForecastSession(const artifact::Model& model, ThreadPool& pool);

  // The next steps after the last row that has targets, or after options.at. The series is aligned
  // with the model by the names of its channels. Throws Error(kData) where a channel is missing,
  // rows are too few for the look-back or end before `at`, known columns do not go on for H steps,
  // or columns of the past have a gap in the look-back.
  SeriesForecast forecast(const Series& series, const ForecastOptions& options = {});
  // The same from each of many stamps, in their order; options.at is not read.
  std::vector<SeriesForecast> forecast(const Series& series, std::span<const Instant> origins,
                                       const ForecastOptions& options, const Watch& watch = {});

 private:
  // One side of a batch: where the calendars of its samples are gathered.
  struct Side {
    std::size_t steps;
    CalendarKeys keys;
    std::vector<std::uint64_t> numbers;  // (steps) of the sample at hand
  };

  // The rows that a forecast reads: the look-back and no more.
  RowRange rows_for(const AlignedSeries& rows, const std::optional<Instant>& at) const;
  void require_known(const AlignedSeries& rows, RowRange history) const;
  void require_past(const AlignedSeries& rows, RowRange history) const;
  // Forecasts from the rows of each of some origins, at most at_once_ of them.
  void forecast_batch(const AlignedSeries& rows, std::span<const RowRange> histories,
                      const ForecastOptions& options, ForecastRanges* ranges,
                      std::vector<SeriesForecast>& out);
  // Gathers the histories, at most at_once_, and has the model forecast from them.
  void run(const AlignedSeries& rows, std::span<const RowRange> histories);
  // Corrects the ranges by forecasts from the rows since calibration whose steps have come before
  // row `end`.
  void correct(const AlignedSeries& rows, std::size_t end, ForecastRanges& ranges);
  void learn_from(const AlignedSeries& rows, std::size_t sample, std::size_t row,
                  ForecastRanges& ranges) const;
  void make_room(std::size_t samples);
  void gather(const AlignedSeries& rows, const CalendarPlan& plan, RowRange history,
              std::size_t sample);
  // Returns how many values it has to do without.
  std::size_t gather_past(const AlignedSeries& rows, RowRange history, std::size_t sample);
  // Of the rows of a history and those after it; taken off the history's values.
  void gather_effects(const AlignedSeries& rows, RowRange history, std::size_t sample);
  void gather_step(const StepCalendar::Entry& step, std::size_t at, std::size_t sample, Side& side,
                   Calendars& calendars);
  SeriesForecast result(const AlignedSeries& rows, RowRange history, std::size_t sample,
                        const ForecastOptions& options, const ForecastRanges* ranges) const;
  ChannelForecast naive(const Channel& channel, std::size_t c, RowRange history) const;
  // Had one value in training and in the history has no other: the weights have learnt nothing of
  // it, and there is no reason to expect that it will change.
  bool is_still_constant(const Channel& channel, std::size_t c, RowRange history) const;

  const artifact::Model& model_;
  const model::ModelShape& shape_;
  ThreadPool& pool_;
  model::Inference inference_;
  std::size_t at_once_;
  StepCalendar calendar_;
  Side history_;
  Side future_;
  std::optional<model::Inference::Keeping> keeping_;

  Arena arena_;
  std::size_t capacity_ = 0;  // samples that there is memory for
  Batch batch_;
  Forecast forecast_;
  model::Inference::Parts parts_;
  std::vector<double> effects_;  // (samples, C, H) of known columns; empty where there are none
  std::vector<std::size_t>
      gaps_;                    // (samples, C) values of the history that cannot be computed with
  std::vector<float> scratch_;  // for features on their way
};

}  // namespace pulsecast
