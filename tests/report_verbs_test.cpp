// pulsecast report, and forecast --plot: what a user gets to look at.

#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

class ReportVerb : public ModelVerbs {};

TEST_F(ReportVerb, WritesOnePageBesideTheModel) {
  ASSERT_EQ(train("a.model").exit_code, 0);
  const Outcome outcome = run("report " + folder_.file("a.model") + " " + rows());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("a.html: one page of "), std::string::npos) << outcome.out;
  const std::string page = contents(folder_.file("a.html"));
  EXPECT_NE(page.find("<h1>a.model on rows.csv</h1>"), std::string::npos);
  EXPECT_NE(page.find("sha256"), std::string::npos);
  const Outcome again = run("report --json --threads 2 " + folder_.file("a.model") + " " + rows() +
                            " --out " + folder_.file("b.html"));
  EXPECT_EQ(again.exit_code, 0) << again.err;
  const auto facts = nlohmann::json::parse(again.out);
  EXPECT_EQ(facts["bytes"], page.size());
  EXPECT_EQ(contents(folder_.file("b.html")), page) << "byte for byte";
}

TEST_F(ReportVerb, RefusesWhatItWouldOverwriteAndWhatIsSwapped) {
  ASSERT_EQ(train("a.model").exit_code, 0);
  const std::string model = folder_.file("a.model");
  EXPECT_TRUE(says(run("report " + model + " " + rows() + " --out " + model), 2, "--out"));
  EXPECT_TRUE(says(run("report " + rows() + " " + model), 2, "The model comes first"));
  EXPECT_TRUE(says(run("report " + model + " " + folder_.file("none.csv")), 5, "none.csv"));
}

TEST_F(ReportVerb, ForecastsAreDrawnBesideTheirNumbers) {
  ASSERT_EQ(train("a.model").exit_code, 0);
  const std::string svg = folder_.file("next.svg");
  const Outcome outcome = forecast("a.model", "--plot " + svg);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("unique_id,ds")) << "the numbers come as ever";
  EXPECT_NE(contents(svg).find(">c2</text>"), std::string::npos);
  EXPECT_TRUE(says(forecast("a.model", "--plot next.gif"), 2, ".svg or .png"));
  EXPECT_TRUE(says(forecast("a.model", "--plot " + rows() + ".svg/x.svg"), 5, "x.svg"));
}

}  // namespace
}  // namespace pulsecast::testing
