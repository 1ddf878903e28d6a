// For tests of benchmarks: a small study over rows made from numbers.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/testing.h"
#include "pulsecast/benchmark/study_file.h"
#include "pulsecast/data/synthetic/synthetic.h"

namespace pulsecast::testing {

// A folder with load.csv, 300 hours of two channels.
class StudyFolder {
 public:
  StudyFolder() {
    SyntheticSettings settings;
    settings.rows = 300;
    settings.channels = 2;
    std::string text;
    write_csv(Synthetic(settings), settings.decimals,
              [&](std::string_view piece) { text += piece; });
    write("load.csv", text);
  }

  void write(const std::string& name, std::string_view text) const {
    write_file(folder_.path() / name, text);
  }
  std::string read(const std::string& name) const {
    std::ifstream stream(folder_.path() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

  // Tiny models, tenths of a second each; `more` is TOML to follow.
  benchmark::Study study(const std::string& more = "", const std::string& head = "") const {
    const std::string text =
        "out = 'out'\nmodels = ['dlinear', 'pulse:dlinear']\nhorizons = [4, 8]\nseeds = [1, 2]\n" +
        head +
        "\n[[datasets]]\nname = 'load'\nfile = 'load.csv'\n"
        "[settings]\nlookback = 24\nepochs = 2\nperiod = 24\n" +
        more;
    return benchmark::parse_study(text, path("study.toml").string());
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace pulsecast::testing
