// pulsecast data verify DIR: whether a folder's files are the paper's datasets.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/threads.h"
#include "apps/cli/verbs.h"
#include "pulsecast/data/paper/dataset_check.h"

namespace pulsecast::cli {
namespace {

using Verdict = DatasetCheck::Verdict;

bool is_fault(const DatasetCheck& check) {
  return check.verdict == Verdict::kDiffers || check.verdict == Verdict::kUnreadable;
}

void print_json(const std::vector<DatasetCheck>& checks, const Console& console) {
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? nlohmann::json(nullptr) : nlohmann::json(text);
  };
  nlohmann::json all = nlohmann::json::array();
  for (const DatasetCheck& check : checks) {
    all.push_back({{"name", check.dataset->name},
                   {"verdict", name(check.verdict)},
                   {"path", text_or_null(check.path)},
                   {"sha256", text_or_null(check.sha256)},
                   {"detail", text_or_null(check.detail)}});
  }
  console.print_json({{"datasets", all}});
}

void print_text(const std::vector<DatasetCheck>& checks, const Console& console) {
  for (const DatasetCheck& check : checks) {
    console.print(fmt::format("{:<12} {:<12}  {}\n", check.dataset->name, name(check.verdict),
                              check.path.empty() ? check.dataset->file : check.path));
    if (!check.detail.empty()) console.print(fmt::format("  {}\n", check.detail));
  }
}

int verify(const std::string& folder, const Console& console) {
  const Threads threads = threads_of(console);
  const std::vector<DatasetCheck> checks = check_datasets(folder, *threads.pool());
  console.json ? print_json(checks, console) : print_text(checks, console);
  const auto absent = std::ranges::count(checks, Verdict::kAbsent, &DatasetCheck::verdict);
  const auto faults = std::ranges::count_if(checks, is_fault);
  const auto present = static_cast<std::ptrdiff_t>(checks.size()) - absent;
  console.remark(fmt::format("{} of {} datasets are there, {} of them not as they should be\n",
                             present, checks.size(), faults));
  // A folder without any of them was hardly meant.
  return faults > 0 || present == 0 ? kFindings : kDone;
}

Action declare_data_verify(CLI::App& command) {
  auto folder = std::make_shared<std::string>();
  command.add_option("dir", *folder, "folder that holds the files, plain or .gz")
      ->required()
      ->type_name("DIR");
  return [folder](const Console& console) { return verify(*folder, console); };
}

}  // namespace

const Verb kDataVerify = {"data verify", "check files of the paper's datasets by checksum or shape",
                          "  pulsecast data verify ~/datasets\n"
                          "  pulsecast data verify ~/datasets --json\n",
                          declare_data_verify};

}  // namespace pulsecast::cli
