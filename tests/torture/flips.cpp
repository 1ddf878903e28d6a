#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/torture/attacks.h"

namespace pulsecast::torture {
namespace {

namespace fs = std::filesystem;

constexpr int kFlips = 64;  // in a row: laying a work out costs more than a flip

// A file with one bit that is not as it was.
struct Flip {
  fs::path file;
  std::string whole;
  std::size_t byte = 0;
  int bit = 0;

  Flip(fs::path path, Chance& chance) : file(std::move(path)), whole(contents(file)) {
    byte = chance.below(whole.size());
    bit = static_cast<int>(chance.below(8));
    std::string damaged = whole;
    damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << bit));
    std::ofstream(file, std::ios::binary) << damaged;
  }
  void put_back() const { std::ofstream(file, std::ios::binary) << whole; }
  std::string to_text() const {
    return fmt::format("bit {} of byte {} of {} flipped", bit, byte, file.filename().string());
  }
};

// The tensor that the byte belongs to; "header" of what stands before them.
std::string part_of(const std::string& safetensors, std::size_t byte) {
  std::uint64_t size = 0;
  std::memcpy(&size, safetensors.data(), sizeof size);
  const std::size_t data = sizeof size + size;
  if (byte < data) return "header";
  const auto header = nlohmann::json::parse(safetensors.substr(sizeof size, size));
  for (const auto& [name, tensor] : header.items()) {
    if (name == "__metadata__") continue;
    const auto& offsets = tensor.at("data_offsets");
    if (byte - data >= offsets[0] && byte - data < offsets[1]) return "'" + name + "'";
  }
  return "header";  // bytes of no tensor are an error of the header
}

bool names(const Ending& ending, const std::string& words) {
  return ending.output.find(words) != std::string::npos;
}

void check_refused(const Flip& flip, const Orders& orders, Ledger& ledger) {
  const Ending ending = run(orders);
  const std::string part = part_of(flip.whole, flip.byte);
  // A header that is read by its tensors is refused by one of them, one that cannot be read by what
  // the file no longer is.
  const bool is_part_named =
      names(ending, part) ||
      (part == "header" && (names(ending, "tensor '") || names(ending, "safetensors")));
  const bool is_named = is_part_named && names(ending, flip.file.filename().string());
  if (ending.exit_code != kModelFile || !is_named) {
    ledger.find(fmt::format("{}, {}: expected exit code 4 and a word of its {}; {}",
                            command_text(orders), flip.to_text(), part, to_text(ending)));
  }
}

// A record is one line of JSON: the damaged one is refused by its number, unless it is the last,
// which a power cut may have garbled too: that one is done again.
void check_record(const Flip& flip, Work& work, Ledger& ledger) {
  const Orders orders{.arguments = work.begin()};
  const Ending ending = run(orders);
  const bool is_done_again = ending.exit_code == work.undisturbed().exit_code &&
                             work.result() == work.undisturbed().result;
  const bool is_refused = ending.exit_code == kData && names(ending, "runs.jsonl:");
  if (!is_done_again && !is_refused) {
    ledger.find(fmt::format("{}, {}: expected exit code 3 and the line, or the run done again; {}",
                            command_text(orders), flip.to_text(), to_text(ending)));
  }
}

void attack_model(Work& work, Chance& chance, Ledger& ledger) {
  const std::string model = (work.folder() / "m.model").string();
  const std::string rows = (work.folder().parent_path() / "rows.csv").string();
  for (int i = 0; i < kFlips; ++i) {
    const Flip flip(model, chance);
    const Orders orders{.arguments = chance.of<std::vector<std::string>>(
                            {{"inspect", "--verify", model},
                             {"inspect", model},
                             {"evaluate", model, rows, "--quiet", "--threads=1"},
                             {"forecast", model, rows, "--quiet", "--threads=1"}})};
    check_refused(flip, orders, ledger);
    ledger.count("flips", "model");
    flip.put_back();
  }
}

void attack_checkpoint(Work& work, Chance& chance, Ledger& ledger) {
  for (int i = 0; i < kFlips; ++i) {
    work.prepare();
    const Flip flip(work.folder() / "m.model.checkpoint", chance);
    check_refused(flip, {.arguments = work.go_on()}, ledger);
    ledger.count("flips", "checkpoint");
    if (const std::string lost = work.hurt(); !lost.empty()) {
      ledger.find(flip.to_text() + ": " + lost);
    }
  }
}

void attack_study(Work& work, Chance& chance, Ledger& ledger) {
  std::vector<std::string> journals, errors;
  for (const auto& [name, bytes] : work.undisturbed().files) {
    if (name.ends_with("runs.jsonl")) journals.push_back(name);
    // Those of the first seed are compared and drawn by the report; it does not read the others.
    if (name.ends_with("_5.safetensors")) errors.push_back(name);
  }
  for (int i = 0; i < kFlips; ++i) {
    // A sweep reports without the errors of single windows.
    const bool is_record = work.kind() == "sweep" || chance.one_in(2);
    const Flip flip(work.folder() / chance.of(is_record ? journals : errors), chance);
    if (is_record) {
      check_record(flip, work, ledger);
    } else {
      check_refused(flip, {.arguments = work.begin()}, ledger);
    }
    ledger.count("flips", is_record ? "journal" : "window errors");
    flip.put_back();
  }
}

}  // namespace

void attack_with_flips(Work& work, Chance& chance, Ledger& ledger) {
  work.undisturbed();
  work.prepare();
  if (work.kind() == "resume" && chance.one_in(2)) {
    attack_checkpoint(work, chance, ledger);
    return;
  }
  if (run({.arguments = work.begin()}).exit_code != work.undisturbed().exit_code) return;
  const bool is_study = work.kind() == "benchmark" || work.kind() == "sweep";
  const bool has_model = fs::exists(work.folder() / "m.model");
  if (is_study) attack_study(work, chance, ledger);
  if (has_model) attack_model(work, chance, ledger);
}

}  // namespace pulsecast::torture
