// What weights of effects are solved from: sums over rows of one target, or of all series of a
// panel, by group.
//
// With A and b of a group the sums of x x' and x y over its rows, effects are the weights that
// minimise
//
//   sum over groups |y - x (w + u_group)|^2 + main |w|^2 + group sum |u_group|^2
//
// a ridge in which groups differ from what all have in common by as much as their rows bear out.
// Taking u out leaves systems as large as the terms are many, however many groups there are.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace pulsecast::train {

struct EffectStrength {
  double main = 0.0;            // per row
  std::optional<double> group;  // per row of a group; unset: groups do not differ
};

class EffectMoments {
 public:
  EffectMoments(std::size_t groups, std::size_t terms);

  void add(std::size_t group, std::span<const double> x, double y);
  void add(const EffectMoments& other);

  double rows() const { return rows_; }
  // Mean square of y, and of what weights (groups, terms) leave of it.
  double mean_square() const;
  double error(std::span<const double> weights) const;
  // Mean square of what the weights make of x.
  double explained(std::span<const double> weights) const;
  // (groups, terms); none where the sums do not bear that strength.
  std::optional<std::vector<double>> solve(const EffectStrength& strength) const;

 private:
  double squares_of(std::size_t group, std::span<const double> weights) const;
  std::optional<std::vector<double>> solve_alike(double main) const;

  std::size_t groups_;
  std::size_t terms_;
  std::vector<double> xx_;  // (groups, terms, terms), of which the lower triangles are kept
  std::vector<double> xy_;  // (groups, terms)
  double yy_ = 0.0;
  double rows_ = 0.0;
};

}  // namespace pulsecast::train
