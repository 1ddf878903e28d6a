// How many CPUs this process may keep busy: what affinity and control groups leave of the machine.
//
// A container with a quota of two CPUs on a machine of 64 that starts 64 threads is stopped by the
// kernel for most of each period, so one per core of the machine is the wrong number there.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace pulsecast {

// At least 1. Parts of a CPU are rounded up.
std::size_t available_cpus();

// The quota of the control group that this process is in, or of a group around it if that is less,
// in CPUs; nothing where there is none. Version 2 (cpu.max) and version 1 (cpu.cfs_quota_us and
// cpu.cfs_period_us). Files that are missing or make no sense say nothing.
struct ControlGroupFiles {
  std::filesystem::path membership = "/proc/self/cgroup";
  std::filesystem::path mounts = "/proc/self/mountinfo";
};
std::optional<double> cpu_quota(const ControlGroupFiles& files = {});

}  // namespace pulsecast
