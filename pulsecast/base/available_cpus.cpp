#include "pulsecast/base/available_cpus.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace pulsecast {
namespace {

namespace fs = std::filesystem;

// CPUs that the calling thread may run on.
std::size_t affinity_count() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
    return static_cast<std::size_t>(CPU_COUNT(&allowed));
  }
  return std::thread::hardware_concurrency();
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

bool has(const std::string& list, const std::string& word) {
  return std::ranges::count(split(list, ','), word) > 0;
}

// Where a hierarchy is mounted, and which of its groups is seen there.
struct Mount {
  fs::path at;
  fs::path group;
};

// mountinfo: "36 35 98:0 /group /mounted/at rw,noatime master:1 - cgroup2 source rw,cpu".
// `controller` is that of a hierarchy of version 1; empty for the one of version 2.
std::optional<Mount> find_mount(const fs::path& mounts, const std::string& controller) {
  std::ifstream file(mounts);
  for (std::string line; std::getline(file, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const std::vector<std::string> before = split(line.substr(0, dash), ' ');
    const std::vector<std::string> after = split(line.substr(dash + 3), ' ');
    if (before.size() < 5 || after.size() < 3) continue;
    const bool is_it = controller.empty() ? after[0] == "cgroup2"
                                          : after[0] == "cgroup" && has(after[2], controller);
    if (is_it) return Mount{before[4], before[3]};
  }
  return std::nullopt;
}

// /proc/self/cgroup: "0::/group" in version 2, "4:cpu,cpuacct:/group" in version 1.
std::optional<fs::path> find_group(const fs::path& membership, const std::string& controller) {
  std::ifstream file(membership);
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool is_it = controller.empty() ? controllers.empty() : has(controllers, controller);
    if (is_it) return line.substr(second + 1);
  }
  return std::nullopt;
}

std::optional<double> read_number(std::istream& stream) {
  double value = 0.0;
  if (stream >> value && value > 0.0) return value;
  return std::nullopt;
}

std::optional<double> quota_v2(const fs::path& folder) {
  std::ifstream file(folder / "cpu.max");  // "max 100000" or "150000 100000"
  const std::optional<double> quota = read_number(file);
  const std::optional<double> period = quota ? read_number(file) : std::nullopt;
  return period ? std::optional(*quota / *period) : std::nullopt;
}

std::optional<double> quota_v1(const fs::path& folder) {
  std::ifstream quota_file(folder / "cpu.cfs_quota_us");  // -1: none
  std::ifstream period_file(folder / "cpu.cfs_period_us");
  const std::optional<double> quota = read_number(quota_file);
  const std::optional<double> period = read_number(period_file);
  return quota && period ? std::optional(*quota / *period) : std::nullopt;
}

// The least quota of the group and of those around it, as far up as they are mounted.
template <typename Quota>
std::optional<double> least_quota(const ControlGroupFiles& files, const std::string& controller,
                                  Quota quota) {
  const std::optional<Mount> mount = find_mount(files.mounts, controller);
  const std::optional<fs::path> group = find_group(files.membership, controller);
  if (!mount || !group) return std::nullopt;
  // Inside a container the group may be told as the machine sees it, and lie outside of the mount.
  fs::path inside = group->lexically_relative(mount->group);
  if (inside.empty() || *inside.begin() == "..") inside = ".";
  std::optional<double> least = quota(mount->at);
  fs::path at = mount->at;
  for (const fs::path& step : inside) {
    at /= step;
    const std::optional<double> own = quota(at);
    if (own && (!least || *own < *least)) least = own;
  }
  return least;
}

}  // namespace

std::optional<double> cpu_quota(const ControlGroupFiles& files) {
  const std::optional<double> v2 = least_quota(files, "", quota_v2);
  const std::optional<double> v1 = least_quota(files, "cpu", quota_v1);
  if (v1 && v2) return std::min(*v1, *v2);
  return v2 ? v2 : v1;
}

std::size_t available_cpus() {
  std::size_t count = affinity_count();
  if (const std::optional<double> quota = cpu_quota()) {
    count = std::min(count, static_cast<std::size_t>(std::ceil(*quota)));
  }
  return std::max<std::size_t>(count, 1);
}

}  // namespace pulsecast
