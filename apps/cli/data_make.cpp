// pulsecast data make FILE: a CSV of synthetic series.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/settings_flags.h"
#include "apps/cli/verbs.h"
#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/synthetic/synthetic.h"
#include "pulsecast/settings/synthetic_declaration.h"

namespace pulsecast::cli {
namespace {

struct DataMakeArguments {
  std::string file;
  SyntheticSettings settings;
  std::shared_ptr<SettingsFlags> flags;
};

void refuse_what_cannot_be(const DataMakeArguments& arguments, const Console& console) {
  if (arguments.file.ends_with(".gz")) {
    throw_error(
        ErrorKind::kUsage, arguments.file,
        "the file is written as plain CSV; name it without .gz, or write to '-' and pipe it "
        "through gzip");
  }
  if (arguments.file == "-" && console.json) {
    throw_error(ErrorKind::kUsage, "--json",
                "rows and JSON cannot both go to standard output; name a file for the rows");
  }
}

int make(const DataMakeArguments& arguments, const Console& console) {
  refuse_what_cannot_be(arguments, console);
  const Synthetic synthetic(arguments.settings);
  std::size_t bytes = 0;
  if (arguments.file == "-") {
    write_csv(synthetic, arguments.settings.decimals,
              [&](std::string_view piece) { console.print(piece); });
    return kDone;
  }
  AtomicFile file(arguments.file);
  write_csv(synthetic, arguments.settings.decimals, [&](std::string_view piece) {
    file.write(piece);
    bytes += piece.size();
  });
  file.commit();
  if (console.json) {
    console.print_json({{"file", arguments.file},
                        {"rows", synthetic.rows()},
                        {"channels", synthetic.channels()},
                        {"step", synthetic.step().to_string()},
                        {"bytes", bytes}});
  } else {
    console.remark(fmt::format("{}: {} of {}, a row every {}, {:.1f} MB\n", arguments.file,
                               counted(synthetic.rows(), "row"),
                               counted(synthetic.channels(), "channel"),
                               synthetic.step().to_string(), static_cast<double>(bytes) / 1e6));
  }
  return kDone;
}

Action declare_data_make(CLI::App& command) {
  auto arguments = std::make_shared<DataMakeArguments>();
  command.add_option("file", arguments->file, "CSV to write; '-' is standard output")
      ->required()
      ->type_name("FILE");
  arguments->flags =
      std::make_shared<SettingsFlags>(command, synthetic_settings().bind(arguments->settings));
  return [arguments](const Console& console) {
    arguments->flags->apply();
    return make(*arguments, console);
  };
}

}  // namespace

const Verb kDataMake = {
    "data make", "write a CSV of synthetic series",
    "  pulsecast data make demo.csv\n"
    "  pulsecast data make electricity.csv --rows 26304 --channels 321\n"
    "  pulsecast data make shops.csv --long --channels 500 --rows 900 --shortest 60 "
    "--step 1d\n"
    "  pulsecast data make sales.csv --step 1d --channels 1 --price 0.3 --holiday=-0.4 --ahead 14\n"
    "  pulsecast data make broken.csv --missing 0.02 --duplicates 0.001\n"
    "  pulsecast data make shifting.csv --step 15min --regimes 3 --phase-drift "
    "0.5 --noise-swing 1\n"
    "  pulsecast data make - --rows 100 | gzip > small.csv.gz\n",
    declare_data_make};

}  // namespace pulsecast::cli
