#include <fmt/format.h>
#include <signal.h>

#include "tests/torture/attacks.h"

namespace pulsecast::torture {
namespace {

// A program that has not come to its main() yet ends by the signal; it has done nothing then.
bool had_not_begun(const Ending& ending, const Files& before, const Work& work) {
  return ending.output.empty() && files_below(work.folder()) == before;
}

void check_stop(const Ending& ending, const Orders& orders, const Files& before, Work& work,
                Ledger& ledger) {
  const bool is_done = ending.exit_code == work.undisturbed().exit_code;
  if (is_done || ending.exit_code == kInterrupted) return;
  if (ending.signal == orders.signal && had_not_begun(ending, before, work)) return;
  ledger.find(fmt::format("{}, stopped by signal {}: {}", command_text(orders), orders.signal,
                          to_text(ending)));
}

}  // namespace

void finish(Work& work, const std::string& after, Ledger& ledger) {
  const Undisturbed& expected = work.undisturbed();
  const Orders orders{.arguments = work.go_on()};
  const Ending ending = run(orders);
  const auto wrong = [&](const std::string& what) {
    ledger.find(
        fmt::format("{} after {}: {}; {}", command_text(orders), after, what, to_text(ending)));
  };
  work.took(ending.time);
  if (ending.exit_code != expected.exit_code) {
    wrong(fmt::format("expected exit code {}", expected.exit_code));
  } else if (work.result() != expected.result) {
    wrong("the result is another than that of undisturbed work");
  } else if (const std::string files = work.leftovers(); !files.empty()) {
    wrong("left lying about:" + files);
  }
}

void attack_with_kills(Work& work, Chance& chance, Ledger& ledger) {
  work.undisturbed();
  work.prepare();
  const std::size_t times = 1 + chance.below(8);
  for (std::size_t i = 0; i < times; ++i) {
    const bool is_kill = !chance.one_in(5);
    const Orders orders{.arguments = i == 0 ? work.begin() : work.go_on(),
                        .kill_after = work.shortest_time() * chance.fraction(),
                        // Ctrl-C asks a training to finish; SIGTERM stops whatever runs.
                        .signal = is_kill ? SIGKILL : SIGTERM};
    const Files before = is_kill ? Files{} : files_below(work.folder());
    const Ending ending = run(orders);
    const bool was_killed = is_kill && ending.signal == SIGKILL;
    if (was_killed) ledger.count("kills", work.kind());
    if (!is_kill && ending.was_sent) ledger.count("stops", work.kind());
    if (!was_killed) check_stop(ending, orders, before, work, ledger);
    if (const std::string lost = work.hurt(); !lost.empty()) {
      ledger.find(fmt::format("{}, killed: {}", command_text(orders), lost));
    }
  }
  finish(work, "kills", ledger);
}

}  // namespace pulsecast::torture
