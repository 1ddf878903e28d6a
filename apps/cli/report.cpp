// pulsecast report MODEL FILE: one page to look at.

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/interrupt.h"
#include "apps/cli/model_argument.h"
#include "apps/cli/output_file.h"
#include "apps/cli/settings_flags.h"
#include "apps/cli/threads.h"
#include "apps/cli/verbs.h"
#include "pulsecast/base/atomic_file.h"
#include "pulsecast/calendar/stamp_column.h"
#include "pulsecast/report_page.h"
#include "pulsecast/settings/data_declaration.h"

namespace pulsecast::cli {
namespace {

namespace fs = std::filesystem;

struct ReportArguments {
  std::string model;
  std::string file;
  std::string out;
  std::string at;
  bool non_negative = false;
  DataSettings settings;
  std::shared_ptr<SettingsFlags> flags;
};

// "load.model" -> "load.html", in the folder of the model.
fs::path page_beside(const fs::path& model) {
  fs::path page = model;
  return page.replace_extension(".html");
}

int write_page(ReportArguments& arguments, const Console& console) {
  const fs::path out =
      arguments.out.empty() ? page_beside(arguments.model) : fs::path(arguments.out);
  require_writable(out, "--out", {arguments.model, arguments.file});
  const auto model = load_beside("report", arguments.model, arguments.file);
  // The model knows how its rows are read; flags say how this file differs.
  arguments.settings = model->reading_settings();
  arguments.flags->apply();
  ReportOptions options{.threads = threads_of(console), .watch = interruptible()};
  const Observations rows =
      model->read(arguments.file, arguments.settings, options.threads, options.watch);
  for (const std::string& done : rows.repairs()) console.remark(done + "\n");
  options.title = fmt::format(
      "{} on {}", fs::path(arguments.model).filename().string(),
      arguments.file == "-" ? "standard input" : fs::path(arguments.file).filename().string());
  if (!arguments.at.empty()) options.forecast.at = read_instant(arguments.at, rows.zone(), "--at");
  if (arguments.non_negative) options.forecast.min = 0.0;
  const std::string page = report_page(model, rows, options);
  write_file(out, std::string_view(page));
  if (console.json) {
    console.print_json({{"page", out.string()}, {"bytes", page.size()}});
  } else {
    console.print(fmt::format("{}: one page of {:.0f} kB that needs no network\n", out.string(),
                              static_cast<double>(page.size()) / 1000.0));
  }
  return kDone;
}

Action declare_report(CLI::App& command) {
  auto arguments = std::make_shared<ReportArguments>();
  command.add_option("model", arguments->model, "model file")->required()->type_name("MODEL");
  command.add_option("file", arguments->file, "rows up to now; '-' is standard input")
      ->required()
      ->type_name("FILE");
  command.add_option("--out,-o", arguments->out, "file to write [the model's name with .html]")
      ->type_name("FILE");
  command.add_option("--at", arguments->at, "forecast from this stamp instead of the last row's")
      ->type_name("STAMP");
  command.add_flag("--non-negative", arguments->non_negative, "no value below 0, as of demand");
  arguments->flags = std::make_shared<SettingsFlags>(
      command, data_settings().bind(arguments->settings), dialect_settings(), Over::kModel);
  return [arguments](const Console& console) { return write_page(*arguments, console); };
}

}  // namespace

const Verb kReport = {"report",
                      "make a page of forecasts, past forecasts, errors and what the model sees",
                      "  pulsecast report load.model load.csv                  # writes load.html\n"
                      "  pulsecast report load.model load.csv --out next.html\n"
                      "  pulsecast report load.model load.csv --at '2024-05-01 00:00'\n",
                      declare_report};

}  // namespace pulsecast::cli
