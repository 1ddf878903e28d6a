// What known columns do to targets: the part of a series that is not to be learnt from its past,
// because it is known.
//
// An effect is taken off a row before it is a window's, and put back onto a forecast of it, so that
// every model forecasts what is left, whatever it is (decision 35). Effects are in the units of the
// scaler, of one target's weights or of weights that all series of a panel share.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "pulsecast/data/effects/effect_design.h"

namespace pulsecast {

class Effects {
 public:
  // weights (sets, groups, terms): a set a target, or one that all targets share.
  Effects(EffectDesign design, std::size_t sets, std::vector<double> weights);

  const EffectDesign& design() const { return design_; }
  std::size_t sets() const { return sets_; }
  const std::vector<double>& weights() const { return weights_; }

  // Of a row of the group with these terms (terms); NaN where they are.
  double of(std::size_t target, std::size_t group, std::span<const double> terms) const;
  // Whether there is any effect on a target.
  bool has(std::size_t target) const;

  // By how much a target changes when a column goes from its low to its high value and the others
  // stay at their means: the mean over the groups, and the least and largest of them.
  struct Change {
    double mean = 0.0;
    double least = 0.0;
    double largest = 0.0;
  };
  Change change(std::size_t target, std::size_t column) const;

 private:
  std::span<const double> weights_of(std::size_t target, std::size_t group) const;

  EffectDesign design_;
  std::size_t sets_;
  std::vector<double> weights_;
};

}  // namespace pulsecast
