// What each member of TrainingSettings is called, takes and means, and the words of its choices.
#pragma once

#include <array>

#include "pulsecast/settings/choices.h"
#include "pulsecast/settings/declaration.h"
#include "pulsecast/settings/training_settings.h"

namespace pulsecast {

const Declaration<TrainingSettings>& training_settings();

template <>
inline constexpr std::array kChoices<LossKind>{
    Choice{LossKind::kFrequency, "frequency", "mean modulus of the error's spectrum"},
    Choice{LossKind::kSquared, "mse", "mean squared error"},
    Choice{LossKind::kAbsolute, "mae", "mean absolute error"}};

template <>
inline constexpr std::array kChoices<Solver>{
    Choice{Solver::kGradients, "gradients", "steps of Adam, epoch after epoch"},
    Choice{Solver::kRidge, "ridge",
           "the closed form that linear alone has; an epoch is a strength, weaker each time"}};

template <>
inline constexpr std::array kChoices<Mixup>{
    Choice{Mixup::kStatisticAware, "statistic-aware",
           "normalised windows are mixed, and their means and deviations too"},
    Choice{Mixup::kPlain, "plain", "residuals are mixed before they are normalised"},
    Choice{Mixup::kNone, "none", "windows are taken as they are"}};

template <>
inline constexpr std::array kChoices<Intervals>{
    Choice{Intervals::kResidual, "residual", "quantiles of past errors over a local scale"},
    Choice{Intervals::kQuantile, "quantile",
           "the same, moved by what a head trained with the pinball loss says of each window"}};
template <>
inline constexpr std::array kChoices<Sampling>{
    Choice{Sampling::kEven, "even", "every series equally often"},
    Choice{Sampling::kLength, "length", "every window equally often, so longer series more"}};

template <>
inline constexpr std::array kChoices<ScheduleKind>{
    Choice{ScheduleKind::kReference, "reference",
           "as the paper's authors ran it: a twenty-fifth of the rate in the first epoch, the rate "
           "up to the fourth, then 0.8 of it an epoch; beta1 0.95"},
    Choice{ScheduleKind::kPlain, "plain",
           "the rate up to the fourth epoch, then 0.8 of it an "
           "epoch; beta1 0.9"},
    Choice{ScheduleKind::kHalving, "halving",
           "the rate up to the second epoch, then half of it an epoch; beta1 0.9"},
    Choice{ScheduleKind::kGentle, "gentle",
           "the rate up to the third epoch, then 0.9 of it an epoch; beta1 0.9"}};

}  // namespace pulsecast
