#include "apps/cli/verbs.h"

namespace pulsecast::cli {

std::span<const Verb* const> verbs() {
  static constexpr const Verb* kAll[] = {
      &kTrain,     &kForecast,   &kEvaluate, &kBacktest,   &kReport,   &kInspect, &kBackbones,
      &kBenchmark, &kSweep,      &kPaper,    &kCheck,      &kMismatch, &kDemo,    &kDataMake,
      &kDataList,  &kDataVerify, &kSettings, &kCompletion, &kMan,
  };
  return kAll;
}

}  // namespace pulsecast::cli
