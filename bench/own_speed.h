// Our engine alone: how near it comes to the machine's matrix products, and how its cost grows.
#pragma once

#include <span>
#include <string>

#include "bench/peer_case.h"

namespace pulsecast::bench {

// Each case's training step: the products it executes, the best rate of bare products on this
// machine (ours, or MKL's where `python` has PyTorch with it), where the time goes.
void print_roofs(std::span<const CaseName> cases, ThreadPool& pool, const std::string& python);

// Of a training step with each size, the others as in Electricity's recipe.
void print_scaling(ThreadPool& pool);

}  // namespace pulsecast::bench
