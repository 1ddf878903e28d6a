#include "pulsecast/testing/reference/attention.h"

#include <cmath>
#include <vector>

namespace pulsecast::kernels::reference {
namespace {

// Weights of one query of one head: softmax before dropout, and the multiplier of dropout.
struct QueryWeights {
  std::vector<double> softmax;
  std::vector<float> multiplier;
};

// Offset of token t of head h in row r of an array with `tokens` tokens a row.
std::size_t offset(const AttentionShape& s, std::size_t tokens, std::size_t r, std::size_t t,
                   std::size_t h) {
  return (r * tokens + t) * s.token() + h * s.width;
}

QueryWeights query_weights(const AttentionShape& s, const float* q, const float* k,
                           const AttentionDropout& dropout, std::size_t r, std::size_t h,
                           std::size_t i) {
  QueryWeights weights{std::vector<double>(s.keys), std::vector<float>(s.keys, 1.0f)};
  double sum = 0.0;
  const std::size_t seen = s.is_causal ? i + 1 : s.keys;
  for (std::size_t j = 0; j < seen; ++j) {
    double score = 0.0;
    for (std::size_t c = 0; c < s.width; ++c) {
      score += static_cast<double>(q[offset(s, s.queries, r, i, h) + c]) *
               k[offset(s, s.keys, r, j, h) + c];
    }
    weights.softmax[j] = std::exp(score / std::sqrt(static_cast<double>(s.width)));
    sum += weights.softmax[j];
  }
  for (double& weight : weights.softmax) weight /= sum;
  if (dropout.rate > 0.0f) {
    random::dropout_scale(
        dropout.stream,
        dropout.first_mask_row + ((dropout.first_row + r) * s.heads + h) * s.queries + i,
        dropout.rate, weights.multiplier);
  }
  return weights;
}

}  // namespace

void attention(const AttentionShape& s, const float* q, const float* k, const float* v,
               const AttentionDropout& dropout, float* out) {
  for (std::size_t r = 0; r < s.rows; ++r) {
    for (std::size_t h = 0; h < s.heads; ++h) {
      for (std::size_t i = 0; i < s.queries; ++i) {
        const QueryWeights w = query_weights(s, q, k, dropout, r, h, i);
        for (std::size_t c = 0; c < s.width; ++c) {
          double sum = 0.0;
          for (std::size_t j = 0; j < s.keys; ++j) {
            sum += w.softmax[j] * w.multiplier[j] * v[offset(s, s.keys, r, j, h) + c];
          }
          out[offset(s, s.queries, r, i, h) + c] = static_cast<float>(sum);
        }
      }
    }
  }
}

void attention_backward(const AttentionShape& s, const float* q, const float* k, const float* v,
                        const AttentionDropout& dropout, const float* grad_out, float* grad_q,
                        float* grad_k, float* grad_v) {
  std::vector<double> gq(s.rows * s.queries * s.token());
  std::vector<double> gk(s.rows * s.keys * s.token());
  std::vector<double> gv(gk.size());
  const double scale = 1.0 / std::sqrt(static_cast<double>(s.width));
  for (std::size_t r = 0; r < s.rows; ++r) {
    for (std::size_t h = 0; h < s.heads; ++h) {
      for (std::size_t i = 0; i < s.queries; ++i) {
        const QueryWeights w = query_weights(s, q, k, dropout, r, h, i);
        const std::size_t query = offset(s, s.queries, r, i, h);
        std::vector<double> grad_weight(s.keys);
        double dot = 0.0;
        for (std::size_t j = 0; j < s.keys; ++j) {
          const std::size_t key = offset(s, s.keys, r, j, h);
          for (std::size_t c = 0; c < s.width; ++c) {
            grad_weight[j] += static_cast<double>(grad_out[query + c]) * v[key + c];
            gv[key + c] += w.softmax[j] * w.multiplier[j] * grad_out[query + c];
          }
          grad_weight[j] *= w.multiplier[j];
          dot += w.softmax[j] * grad_weight[j];
        }
        for (std::size_t j = 0; j < s.keys; ++j) {
          const std::size_t key = offset(s, s.keys, r, j, h);
          const double grad_score = w.softmax[j] * (grad_weight[j] - dot) * scale;
          for (std::size_t c = 0; c < s.width; ++c) {
            gq[query + c] += grad_score * k[key + c];
            gk[key + c] += grad_score * q[query + c];
          }
        }
      }
    }
  }
  for (std::size_t i = 0; i < gq.size(); ++i) grad_q[i] = static_cast<float>(gq[i]);
  for (std::size_t i = 0; i < gk.size(); ++i) grad_k[i] = static_cast<float>(gk[i]);
  for (std::size_t i = 0; i < gv.size(); ++i) grad_v[i] = static_cast<float>(gv[i]);
}

}  // namespace pulsecast::kernels::reference
