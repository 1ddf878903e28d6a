#include "pulsecast/benchmark/provenance.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>

#include "pulsecast/report/page.h"

namespace pulsecast::benchmark {
namespace {

void add_once(std::vector<std::string>& all, const std::string& text) {
  if (!text.empty() && std::ranges::find(all, text) == all.end()) all.push_back(text);
}

std::string settings_text(const RunRecord& record) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : record.settings) {
    parts.push_back(fmt::format("{} = {}", name, value));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string day_of(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return "";
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(status.st_mtime));
}

}  // namespace

Provenance provenance_of(const std::vector<RunRecord>& records,
                         const std::filesystem::path& journal) {
  Provenance provenance;
  provenance.day = day_of(journal);
  for (const RunRecord& record : records) {
    add_once(provenance.versions, record.version);
    add_once(provenance.cpus, record.cpu);
    const auto same = [&](const auto& entry) { return entry.first == record.key.model; };
    if (record.is_outside || std::ranges::any_of(provenance.settings, same)) continue;
    provenance.settings.emplace_back(record.key.model, settings_text(record));
  }
  return provenance;
}

std::string made_by(const Provenance& provenance) {
  return fmt::format("pulsecast {}", fmt::join(provenance.versions, "; "));
}

std::string provenance_html(const Provenance& provenance) {
  std::string text =
      "<h2>Where this comes from</h2>\n" +
      report::facts_html({{"made by", made_by(provenance)},
                          {"on", fmt::format("{}", fmt::join(provenance.cpus, "; "))},
                          {"newest run", provenance.day}});
  if (provenance.settings.empty()) return text;
  return text + "<details><summary>Settings of each model, of its first run</summary>\n" +
         report::facts_html(provenance.settings) + "</details>\n";
}

}  // namespace pulsecast::benchmark
