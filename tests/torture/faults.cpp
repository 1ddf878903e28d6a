#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "tests/torture/attacks.h"

namespace pulsecast::torture {
namespace {

namespace fs = std::filesystem;

// What the shim wrote: calls that failed, and how many there were.
struct Report {
  std::vector<std::string> failed;  // "write /tmp/.../m.model.tmp-0123456789abcdef"
  std::size_t calls = 0;
};

Report read_report(const fs::path& file) {
  Report report;
  std::istringstream lines(contents(file));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("calls ")) {
      report.calls = std::strtoul(line.c_str() + 6, nullptr, 10);
    } else {
      report.failed.push_back(line);
    }
  }
  return report;
}

Orders with_shim(const Work& work, const fs::path& report) {
  return {.arguments = work.begin(),
          .environment = {{"LD_PRELOAD", PULSECAST_FAULT_SHIM},
                          {"TORTURE_ROOT", work.folder().parent_path().string()},
                          {"TORTURE_REPORT", report.string()}}};
}

// "write": the call that failed first.
std::string call_of(const Report& report) {
  return report.failed.front().substr(0, report.failed.front().find(' '));
}

// What is wrong with how the program ended; empty: nothing.
std::string wrong_end(const Ending& ending, bool is_passing, Work& work) {
  const Undisturbed& expected = work.undisturbed();
  if (ending.exit_code == expected.exit_code) {
    return work.result() == expected.result ? "" : "it calls a wrong result right";
  }
  if (is_passing) return "a call that was cut short or interrupted is to be made again";
  if (ending.exit_code != kInputOutput) return "expected exit code 5";
  if (ending.output.find("pulsecast: ") == std::string::npos) return "it does not say why";
  const std::string lost = work.hurt();
  return !lost.empty() ? lost : work.temporary_files();
}

}  // namespace

void attack_with_faults(Work& work, Chance& chance, Ledger& ledger) {
  const fs::path report = work.folder().parent_path().string() + ".report";
  work.undisturbed();
  work.prepare();
  fs::remove(report);
  run(with_shim(work, report));
  const std::size_t calls = read_report(report).calls;
  if (calls == 0) {
    ledger.find(command_text(with_shim(work, report)) + ": the shim saw no call");
    return;
  }
  // Several faults for one counting of the calls.
  for (int i = 0; i < 16; ++i) {
    const std::string fault = chance.of<std::string>({"enospc", "eio", "eio", "eintr", "short"});
    Orders orders = with_shim(work, report);
    orders.environment.emplace_back("TORTURE_FAULT", fault);
    orders.environment.emplace_back("TORTURE_CALL", std::to_string(1 + chance.below(calls)));
    const bool is_passing = fault == "eintr" || fault == "short";
    if (!is_passing && chance.one_in(2)) orders.environment.emplace_back("TORTURE_LASTS", "1");
    work.prepare();
    fs::remove(report);
    const Ending ending = run(orders);
    const Report told = read_report(report);
    if (told.failed.empty()) continue;  // no call that this fault can meet
    ledger.count("faults", fault + " of " + call_of(told));
    if (const std::string wrong = wrong_end(ending, is_passing, work); !wrong.empty()) {
      ledger.find(fmt::format("{} ({}): {}; {}", command_text(orders), told.failed.front(), wrong,
                              to_text(ending)));
    }
    finish(work, fault, ledger);
  }
  fs::remove(report);
}

}  // namespace pulsecast::torture
