// Every verb, in the order that --help lists them.
#pragma once

#include <span>

#include "apps/cli/verb.h"

namespace pulsecast::cli {

extern const Verb kCheck;
extern const Verb kTrain;
extern const Verb kForecast;
extern const Verb kEvaluate;
extern const Verb kReport;
extern const Verb kBacktest;
extern const Verb kInspect;
extern const Verb kBackbones;
extern const Verb kBenchmark;
extern const Verb kSweep;
extern const Verb kPaper;
extern const Verb kDemo;
extern const Verb kMismatch;
extern const Verb kDataMake;
extern const Verb kDataList;
extern const Verb kDataVerify;
extern const Verb kSettings;
extern const Verb kCompletion;
extern const Verb kMan;

std::span<const Verb* const> verbs();

}  // namespace pulsecast::cli
