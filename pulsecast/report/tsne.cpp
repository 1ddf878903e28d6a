#include "pulsecast/report/tsne.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pulsecast::report {
namespace {

constexpr std::size_t kLanes = 8;  // sums side by side, which a compiler makes vectors of

float dot(const float* a, const float* b, std::size_t size) {
  std::array<float, kLanes> sums{};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) sums[k] += a[i + k] * b[i + k];
  }
  float rest = 0.0f;
  for (; i < size; ++i) rest += a[i] * b[i];
  for (const float sum : sums) rest += sum;
  return rest;
}

class Embedding {
 public:
  Embedding(std::span<const float> points, std::size_t count, std::size_t size, ThreadPool& pool,
            const TsneOptions& options)
      : count_(count), size_(size), pool_(pool), options_(options) {
    centre(points);
  }

  PlanePlaces make() {
    begin_at_components();
    if (count_ < 3) return std::move(places_);
    measure_distances();
    find_affinities();
    move();
    return std::move(places_);
  }

 private:
  template <typename Body>
  void for_each_point(Body body) {
    constexpr std::size_t kAtOnce = 16;
    pool_.run((count_ + kAtOnce - 1) / kAtOnce, [&](std::size_t task, std::size_t) {
      for (std::size_t i = task * kAtOnce; i < std::min(count_, (task + 1) * kAtOnce); ++i) body(i);
    });
  }
  const float* point(std::size_t i) const { return points_.data() + i * size_; }

  void centre(std::span<const float> points) {
    points_.assign(points.begin(), points.end());
    std::vector<double> means(size_, 0.0);
    for (std::size_t i = 0; i < points_.size(); ++i) means[i % size_] += points_[i];
    double squares = 0.0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      points_[i] -= static_cast<float>(means[i % size_] / static_cast<double>(count_));
      squares += static_cast<double>(points_[i]) * static_cast<double>(points_[i]);
    }
    // Units do not matter: distances are near 1.
    const double unit = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, count_)));
    if (unit > 0.0) {
      for (float& value : points_) value = static_cast<float>(value / unit);
    }
  }

  // Power iteration on the covariance; the second is kept apart from the first.
  void begin_at_components() {
    constexpr int kRounds = 40;
    std::array<std::vector<float>*, 2> axes = {&places_.x, &places_.y};
    std::array<std::vector<float>, 2> directions;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      std::vector<float>& direction = directions[axis];
      direction.assign(size_, 0.0f);
      // Any direction that no axis of the data is likely to be square to.
      for (std::size_t d = 0; d < size_; ++d) {
        direction[d] = 1.0f + 0.5f * std::sin(static_cast<float>((d + 1) * (axis + 1)));
      }
      std::vector<float>& along = *axes[axis];
      along.assign(count_, 0.0f);
      for (int round = 0; round < kRounds; ++round) {
        if (axis == 1) {
          const float shared = dot(directions[0].data(), direction.data(), size_);
          for (std::size_t d = 0; d < size_; ++d) direction[d] -= shared * directions[0][d];
        }
        const float length = std::sqrt(dot(direction.data(), direction.data(), size_));
        if (!(length > 0.0f)) break;  // fewer dimensions than axes
        for (float& value : direction) value /= length;
        for_each_point([&](std::size_t i) { along[i] = dot(point(i), direction.data(), size_); });
        if (round + 1 == kRounds) break;
        std::ranges::fill(direction, 0.0f);
        for (std::size_t i = 0; i < count_; ++i) {
          for (std::size_t d = 0; d < size_; ++d) direction[d] += along[i] * point(i)[d];
        }
      }
    }
    spread_to(kFirstSpread);
  }

  // Small, so that the rounds shape it.
  static constexpr float kFirstSpread = 1e-2f;

  float spread() const {
    return std::sqrt(dot(places_.x.data(), places_.x.data(), count_) /
                     static_cast<float>(std::max<std::size_t>(1, count_)));
  }
  void spread_to(float wanted) {
    const float now = spread();
    const float scale = now > 0.0f ? wanted / now : 0.0f;
    for (std::size_t i = 0; i < count_; ++i) {
      places_.x[i] *= scale;
      places_.y[i] *= scale;
    }
  }
  // Around 0, where differences that are small have all their digits.
  void centre_places() {
    for (std::vector<float>* along : {&places_.x, &places_.y}) {
      double sum = 0.0;
      for (const float place : *along) sum += static_cast<double>(place);
      const auto mean = static_cast<float>(sum / static_cast<double>(count_));
      for (float& place : *along) place -= mean;
    }
  }

  void measure_distances() {
    affinity_.resize(count_ * count_);
    std::vector<float> squares(count_);
    for (std::size_t i = 0; i < count_; ++i) squares[i] = dot(point(i), point(i), size_);
    for_each_point([&](std::size_t i) {
      for (std::size_t j = 0; j < count_; ++j) {
        affinity_[i * count_ + j] =
            std::max(0.0f, squares[i] + squares[j] - 2.0f * dot(point(i), point(j), size_));
      }
      affinity_[i * count_ + i] = 0.0f;
    });
  }

  // Distances become probabilities: for each point a width at which it has as many neighbours as
  // the perplexity says, then the mean of both directions.
  void find_affinities() {
    const double perplexity =
        std::max(1.0, std::min(options_.perplexity, static_cast<double>(count_ - 1) / 3.0));
    const double wanted = std::log(perplexity);
    for_each_point([&](std::size_t i) {
      float* row = affinity_.data() + i * count_;
      std::vector<float> distances(row, row + count_);
      double low = 0.0;
      double high = 0.0;  // 0: not yet known
      double beta = 1.0;
      constexpr int kTries = 60;
      for (int tried = 0; tried < kTries; ++tried) {
        double sum = 0.0;
        double weighted = 0.0;
        for (std::size_t j = 0; j < count_; ++j) {
          row[j] = j == i ? 0.0f : std::exp(-static_cast<float>(beta) * distances[j]);
          sum += static_cast<double>(row[j]);
          weighted += static_cast<double>(row[j]) * static_cast<double>(distances[j]);
        }
        if (!(sum > 0.0)) {  // too narrow: nobody is near
          high = beta;
          beta = (low + high) / 2.0;
          continue;
        }
        for (std::size_t j = 0; j < count_; ++j) row[j] = static_cast<float>(row[j] / sum);
        const double entropy = std::log(sum) + beta * weighted / sum;
        if (std::abs(entropy - wanted) < 1e-4) break;
        if (entropy > wanted) {
          low = beta;
          beta = high > 0.0 ? (low + high) / 2.0 : beta * 2.0;
        } else {
          high = beta;
          beta = (low + high) / 2.0;
        }
      }
    });
    const auto n = static_cast<float>(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        float& own = affinity_[i * count_ + j];
        float& other = affinity_[j * count_ + i];
        own = other = std::max((own + other) / (2.0f * n), 1e-12f);
      }
    }
  }

  struct Forces {
    float drawn_x = 0, drawn_y = 0, pushed_x = 0, pushed_y = 0, near = 0;
  };

  Forces forces_on(std::size_t i) const {
    const float* p = affinity_.data() + i * count_;
    const float* xs = places_.x.data();
    const float* ys = places_.y.data();
    const float x = xs[i];
    const float y = ys[i];
    std::array<float, kLanes> drawn_x{}, drawn_y{}, pushed_x{}, pushed_y{}, near{};
    const auto add = [&](std::size_t j, std::size_t k) {
      const float dx = x - xs[j];
      const float dy = y - ys[j];
      const float q = 1.0f / (1.0f + dx * dx + dy * dy);
      const float pull = p[j] * q;
      const float push = q * q;
      drawn_x[k] += pull * dx;
      drawn_y[k] += pull * dy;
      pushed_x[k] += push * dx;
      pushed_y[k] += push * dy;
      near[k] += q;
    };
    std::size_t j = 0;
    for (; j + kLanes <= count_; j += kLanes) {
      for (std::size_t k = 0; k < kLanes; ++k) add(j + k, k);
    }
    for (; j < count_; ++j) add(j, 0);
    Forces all;
    for (std::size_t k = 0; k < kLanes; ++k) {
      all.drawn_x += drawn_x[k];
      all.drawn_y += drawn_y[k];
      all.pushed_x += pushed_x[k];
      all.pushed_y += pushed_y[k];
      all.near += near[k];
    }
    all.near -= 1.0f;  // the point itself
    return all;
  }

  // Gradient descent with momentum and gains, as published; the first quarter draws harder.
  void move() {
    const float rate = std::max(50.0f, static_cast<float>(count_) / 12.0f);
    std::vector<Forces> forces(count_);
    std::vector<float> speed_x(count_, 0.0f), speed_y(count_, 0.0f);
    std::vector<float> gain_x(count_, 1.0f), gain_y(count_, 1.0f);
    for (std::size_t round = 0; round < options_.rounds; ++round) {
      const bool is_early = round < options_.rounds / 4;
      const float exaggeration = is_early ? 12.0f : 1.0f;
      const float momentum = is_early ? 0.5f : 0.8f;
      for_each_point([&](std::size_t i) { forces[i] = forces_on(i); });
      double near = 0.0;
      for (const Forces& each : forces) near += static_cast<double>(each.near);
      const auto share = static_cast<float>(1.0 / std::max(near, 1e-12));
      const auto step = [&](float gradient, float& speed, float& gain, float& place) {
        gain = (gradient > 0.0f) == (speed > 0.0f) ? std::max(0.01f, gain * 0.8f) : gain + 0.2f;
        speed = momentum * speed - rate * gain * gradient;
        place += speed;
      };
      for (std::size_t i = 0; i < count_; ++i) {
        const Forces& each = forces[i];
        step(4.0f * (exaggeration * each.drawn_x - share * each.pushed_x), speed_x[i], gain_x[i],
             places_.x[i]);
        step(4.0f * (exaggeration * each.drawn_y - share * each.pushed_y), speed_y[i], gain_y[i],
             places_.y[i]);
      }
      centre_places();
      // Points that all are as far from each other are drawn into one by the early rounds, from
      // where nothing would push them apart in time.
      if (round + 1 == options_.rounds / 4 && spread() < kFirstSpread) spread_to(kFirstSpread);
      options_.watch.advance("mapping", round + 1, options_.rounds);
    }
  }

  std::size_t count_;
  std::size_t size_;
  ThreadPool& pool_;
  const TsneOptions& options_;
  std::vector<float> points_;    // (count, size)
  std::vector<float> affinity_;  // (count, count)
  PlanePlaces places_;
};

}  // namespace

PlanePlaces tsne(std::span<const float> points, std::size_t count, std::size_t size,
                 ThreadPool& pool, const TsneOptions& options) {
  return Embedding(points, count, size, pool, options).make();
}

}  // namespace pulsecast::report
