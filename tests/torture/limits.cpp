#include <fmt/format.h>
#include <signal.h>

#include "tests/torture/attacks.h"

namespace pulsecast::torture {
namespace {

constexpr int kNotLoaded = 127;  // of the dynamic loader, before the program's first instruction
constexpr rlim_t kMegabyte = 1 << 20;

struct Limit {
  const char* name;
  int what;
  rlim_t least;
  rlim_t most;
};

constexpr Limit kLimits[] = {
    {"memory", RLIMIT_AS, 20 * kMegabyte, 160 * kMegabyte},
    {"threads", RLIMIT_NPROC, 1, 8},
    {"descriptors", RLIMIT_NOFILE, 4, 16},
    {"file size", RLIMIT_FSIZE, 0, 64 << 10},
};

}  // namespace

void attack_with_limits(Work& work, Chance& chance, Ledger& ledger) {
  const Undisturbed& expected = work.undisturbed();
  work.prepare();
  const Limit& limit = kLimits[chance.below(std::size(kLimits))];
  const rlim_t most = limit.least + chance.below(limit.most - limit.least + 1);
  Orders orders{.arguments = work.begin(),
                .limits = {{limit.what, most}},
                .is_unprivileged = limit.what == RLIMIT_NPROC};
  orders.arguments.push_back("--threads=8");
  const Ending ending = run(orders);
  if (ending.exit_code == kNotLoaded) return;
  ledger.count("limits", limit.name);
  std::string wrong;
  if (ending.exit_code == expected.exit_code) {
    if (work.result() != expected.result) wrong = "it calls a wrong result right";
  } else if (ending.exit_code != kInputOutput) {
    wrong = "expected exit code 5";
  } else {
    wrong = work.hurt() + work.temporary_files();
  }
  if (!wrong.empty()) {
    ledger.find(fmt::format("{} with {} limited to {}: {}; {}", command_text(orders), limit.name,
                            most, wrong, to_text(ending)));
  }
  finish(work, fmt::format("a limit on {}", limit.name), ledger);
}

}  // namespace pulsecast::torture
