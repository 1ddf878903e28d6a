#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <regex>

#include "pulsecast/report/assets.h"
#include "pulsecast/report/model_page_data.h"
#include "pulsecast/report/model_report.h"

namespace pulsecast::report {
namespace {

ModelReport small_report() {
  ModelReport report{.title = "</script> & co", .lead = "a model", .made_by = "pulsecast"};
  report.channel_names = {"a<b"};
  report.channels = {{.name = "a<b",
                      .history_stamps = {{0}, {3'600'000}},
                      .history = {1.0, 2.0},
                      .forecast_stamps = {{7'200'000}},
                      .forecast = {3.0}}};
  return report;
}

TEST(ModelPage, StandsAloneAndNamesCannotBreakIt) {
  const std::string page = to_page(small_report());
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos) << "no network, whatever happens";
  std::string rest = page;
  // What others wrote names its address in a comment.
  for (const std::string_view known : {kUplotScript, kUplotLicense}) {
    const std::size_t place = rest.find(known);
    ASSERT_NE(place, std::string::npos);
    rest.erase(place, known.size());
  }
  for (const char* words :
       {"src=", "url(", "@import", "<link", "<iframe", "XMLHttpRequest", "fetch(", "import("}) {
    EXPECT_EQ(rest.find(words), std::string::npos) << words;
  }
  // The name of a namespace is no address that anything is asked of.
  rest = std::regex_replace(rest, std::regex("http://www.w3.org/2000/svg"), "");
  EXPECT_EQ(rest.find("http:"), std::string::npos);
  EXPECT_EQ(rest.find("https:"), std::string::npos);
  EXPECT_NE(page.find("<title>&lt;/script&gt; &amp; co</title>"), std::string::npos);
  EXPECT_EQ(page_data(small_report()).find('<'), std::string::npos);
}

TEST(ModelPage, LeavesOutWhatDoesNotApplyAndSaysWhy) {
  ModelReport report = small_report();
  report.left_out = {"dlinear has no phase anchor."};
  const std::string page = to_page(report);
  EXPECT_EQ(page.find("id='past'"), std::string::npos);
  EXPECT_EQ(page.find("id='window-plot'"), std::string::npos);
  EXPECT_EQ(page.find("id='codebook-plot'"), std::string::npos);
  EXPECT_NE(page.find("dlinear has no phase anchor."), std::string::npos);
}

TEST(ModelPage, TellsWhatRangesHeldOfEachSeries) {
  ModelReport report = small_report();
  report.channel_names = {"load", "never seen"};
  const double none = std::numeric_limits<double>::quiet_NaN();
  report.scores = {{.name = "model", .by_step = {1.0}, .by_channel = {1.0, none}}};
  EXPECT_EQ(to_page(report).find("ranges held"), std::string::npos);
  report.coverage = {{"80 %, as calibrated", 80.0, 79.0, {79.0}, {78.25, none}},
                     {"80 %, corrected", 80.0, 80.0, {80.0}, {80.5, none}}};
  const std::string page = to_page(report);
  const std::size_t table = page.find("Share of what came that ranges held of each series");
  ASSERT_NE(table, std::string::npos);
  const std::string rows = page.substr(table, page.find("</table>", table) - table);
  for (const char* words : {"80 %, as calibrated", "80 %, corrected", "load", "78.2 %", "80.5 %"}) {
    EXPECT_NE(rows.find(words), std::string::npos) << words;
  }
  EXPECT_EQ(rows.find("never seen"), std::string::npos);
}

TEST(ModelPage, BandsAreCarriedWhereThereAreAny) {
  ModelReport report = small_report();
  EXPECT_FALSE(nlohmann::json::parse(page_data(report))["channels"][0].contains("bands"));
  report.channels[0].bands = {{.name = "80 %", .low = {2.0}, .high = {4.0}}};
  const auto data = nlohmann::json::parse(page_data(report));
  EXPECT_EQ(data["channels"][0]["bands"][0]["name"], "80 %");
}

TEST(ModelPage, ChannelsOfOneFileSayTheirStampsOnce) {
  ModelReport report = small_report();
  report.channels.push_back(report.channels.front());
  report.channels.push_back(report.channels.front());
  report.channels.back().history_stamps[0] = {1000};
  const auto data = nlohmann::json::parse(page_data(report));
  EXPECT_TRUE(data["channels"][0].contains("x"));
  EXPECT_FALSE(data["channels"][1].contains("x"));
  EXPECT_TRUE(data["channels"][2].contains("x"));
}

}  // namespace
}  // namespace pulsecast::report
