// torture [SECONDS [SEED [ROUND]]]: disturbs the program in every way that attacks.h has, for that
// long, in an order drawn from the seed. Run by ./dev torture.
//
// A round is a function of the seed and its number; with ROUND that one alone is done, once. What a
// kill hits also depends on the machine's pace, so a finding of kills may want several tries.
// Ends with exit code 1 when there was a finding, and leaves its folder then.

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "tests/torture/attacks.h"

namespace pulsecast::torture {
namespace {

namespace fs = std::filesystem;
using Attack = void (*)(Work&, Chance&, Ledger&);

constexpr std::size_t kMostFindings = 20;

// Kills take longest and are many; flips come dozens a round.
constexpr Attack kAttacks[] = {attack_with_kills, attack_with_kills,  attack_with_kills,
                               attack_with_kills, attack_with_faults, attack_with_faults,
                               attack_with_flips, attack_with_flips,  attack_with_limits};

struct Arguments {
  double seconds = 60.0;
  std::uint64_t seed = static_cast<std::uint64_t>(
      std::chrono::system_clock::now().time_since_epoch() / std::chrono::seconds(1));
  std::optional<std::uint64_t> round;
};

class Ground {
 public:
  explicit Ground(std::uint64_t seed)
      : folder_(fs::temp_directory_path() / fmt::format("pulsecast_torture_{}", ::getpid())) {
    fs::create_directories(folder_);
    fs::permissions(folder_, fs::perms::all);
    make_rows(folder_);
    const std::vector<std::string> known = {"train",        (folder_ / "rows.csv").string(),
                                            "--out",        (folder_ / "known.model").string(),
                                            "--quiet",      "--lookback=24",
                                            "--horizon=12", "--hidden=8",
                                            "--epochs=1"};
    run({.arguments = known});
    works_ = make_works(folder_, seed);
  }

  void round(std::uint64_t seed, std::uint64_t number, Ledger& ledger) {
    Chance chance(seed, number);
    ledger.begin_round(seed, number);
    const Attack attack = kAttacks[chance.below(std::size(kAttacks))];
    Work& work = *works_[chance.below(works_.size())];
    try {
      attack(work, chance, ledger);
    } catch (const std::exception& error) {
      ledger.find(error.what());
    }
  }

  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
  std::vector<std::unique_ptr<Work>> works_;
};

int torture(const Arguments& arguments) {
  fmt::print("torture: seed {}, {} s\n", arguments.seed, arguments.seconds);
  std::fflush(stdout);
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  Ground ground(arguments.seed);
  Ledger ledger;
  std::uint64_t rounds = 0;
  if (arguments.round) {
    ground.round(arguments.seed, *arguments.round, ledger);
    rounds = 1;
  } else {
    // Round 0 drew the works.
    while (elapsed() < arguments.seconds && ledger.findings() < kMostFindings) {
      ground.round(arguments.seed, ++rounds, ledger);
    }
  }
  fmt::print("{}{} rounds in {:.0f} s; again: ./dev torture {:.0f} {}\n", ledger.to_text(), rounds,
             elapsed(), arguments.seconds, arguments.seed);
  if (ledger.findings() > 0) {
    fmt::print("{} findings; the folder of the last is {}\n", ledger.findings(),
               ground.folder().string());
    return 1;
  }
  fs::remove_all(ground.folder());
  return 0;
}

}  // namespace
}  // namespace pulsecast::torture

int main(int argc, char** argv) {
  pulsecast::torture::Arguments arguments;
  if (argc > 4) {
    fmt::print(stderr, "usage: torture [SECONDS [SEED [ROUND]]]\n");
    return 2;
  }
  if (argc > 1) arguments.seconds = std::strtod(argv[1], nullptr);
  if (argc > 2) arguments.seed = std::strtoull(argv[2], nullptr, 10);
  if (argc > 3) arguments.round = std::strtoull(argv[3], nullptr, 10);
  return pulsecast::torture::torture(arguments);
}
