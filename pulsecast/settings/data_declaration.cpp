#include "pulsecast/settings/data_declaration.h"

#include "pulsecast/settings/usual.h"

namespace pulsecast {
namespace {

constexpr std::int64_t kMostSteps = 100000;
constexpr const char* kStepText =
    "a step such as 15min, 1h, 7d, 1mo; 1b is a business day, 1q a quarter, 1me a month end";

Declaration<DataSettings> declare_data() {
  using S = DataSettings;
  return Declaration<S>("data")
      .group("Reading the file")
      .add("layout", &S::layout, "how rows and columns are laid out")
      .add("separator", &S::separator, "what stands between two cells")
      .add("decimal", &S::decimal, "decimal mark of the numbers")
      .add("time-column", &S::time_column, {"the name of a column"}, "column that holds the stamps",
           Unset{"found by name or content"})
      .add("time-zone", &S::time_zone, {"an IANA name such as Europe/Berlin"},
           "zone whose wall clock the stamps show", Unset{"the offsets in the stamps, else UTC"})
      .add("day-order", &S::day_order, "order of day and month in dates such as 01/02/2024")
      .add("id-column", &S::id_column, {"the name of a column"},
           "column that names the series, in long layout")
      .add("value-column", &S::value_column, {"the name of a column"},
           "column that holds the values, in long layout")
      .add("start", &S::start, {"a date and time such as '2012-05-01 00:00'"},
           "stamp of the first row, for files without stamps", Unset{"none"})
      .add("step", &S::step, {kStepText}, "time from one row to the next",
           Unset{"found from the stamps"})
      .add("array", &S::array, {"the name of an array or sheet"},
           "array to read of an .npz file, or sheet of an .xlsx file",
           Unset{"the only one, or 'data'"})
      .add("feature", &S::feature, {0, kMostSteps},
           "index along the third axis of an array of rows x sensors x features")
      .group("Roles of columns")
      .add("target", &S::target, {"names of columns"}, "columns to forecast",
           Unset{"all without another role"})
      .add("known", &S::known, {"names of columns"},
           "columns known in advance; their values go on past the last row with targets",
           Unset{"none"})
      .add("past", &S::past, {"names of columns"},
           "columns seen up to now only; itransformer, timexer and channel_linear read them, and a "
           "search tries "
           "models that do",
           Unset{"none"})
      .add("ignore", &S::ignore, {"names of columns"}, "columns to read past", Unset{"none"})
      .add(
          "static", &S::static_columns, {"names of columns"},
          "columns of a long file that say one thing of a series, in words or numbers, such as the "
          "region of a shop: series that agree in one share the shape of their period",
          Unset{"none"})
      .add("others", &S::others, "what columns are that have no role above")
      .group("Repairs")
      .add("grid", &S::grid, "what the rows lie on",
           Unset{std::string(choice_name(usual::kGrid)) + ", rows with a recipe"})
      .add("fill", &S::fill, "what goes into a gap")
      .add("duplicates", &S::duplicates, "what becomes of a stamp that comes twice")
      .add("order", &S::order, "what becomes of stamps out of order")
      .add("bad-rows", &S::bad_rows, "what becomes of lines that cannot become rows")
      .add("outliers", &S::outliers,
           "what becomes of values that hardly are measurements, as the doctor lists them",
           Unset{std::string(choice_name(Outliers::kKeep))})
      .add("resample", &S::resample, {kStepText}, "coarser step whose mean becomes the value",
           Unset{"the file's own step"})
      .add("resample-by", &S::resample_by,
           {"mean, sum, last, min or max, for one column as in rain=sum"},
           "what becomes of the values in one step of 'resample'", Unset{"mean"})
      .add("drop", &S::drop, {"names of columns"}, "columns to leave out", Unset{"none"})
      .group(kWindowsGroup)
      .add("panel", &S::panel, "what windows are of: all channels together, or each series alone",
           Unset{"series where a long file has more than 32 of them or they begin or end at "
                 "different times, or where there are more than 1000 channels; else channels"})
      .add("lookback", &S::lookback, {"steps such as 96, or a time such as 4d"},
           "history that a forecast sees",
           Unset{"whole periods of at least 96 steps in training, 96 steps elsewhere"})
      .add("horizon", &S::horizon, {"steps such as 96, or a time such as 48h, 10b, 12mo or 4q"},
           "how far to forecast", Unset{"96 steps"})
      .add("split", &S::split,
           {"shares 0.7,0.1,0.2, row counts 8640,2880,2880, two dates "
            "2017-07-01,2017-11-01, or the name of a dataset of the paper"},
           "how rows are shared among training, validation and test",
           Unset{"in training the newest tenth validates and nothing is held out for test; "
                 "elsewhere 0.7,0.1,0.2"})
      .add("period", &S::period, {1, kMostSteps}, "steps of the main cycle",
           Unset{"found by autocorrelation"})
      .add("phase", &S::phase, "what the phase of a step is counted from",
           Unset{std::string(choice_name(usual::kPhase)) + ", row with a recipe"})
      .add("time-features", &S::time_features,
           {"calendar features",
            {"minute_of_hour", "hour_of_day", "day_of_week", "day_of_month", "day_of_year",
             "month_of_year", "season_of_year"}},
           "calendar features that the model sees",
           Unset{"those of the cycles that are strong in the rows"})
      .add("holidays", &S::holidays, {"ISO codes of countries such as DE"},
           "countries, two at most, whose public holidays the model sees beside them; 2000 to 2040",
           Unset{"none"});
}

}  // namespace

const Declaration<DataSettings>& data_settings() {
  static const Declaration<DataSettings> declaration = declare_data();
  return declaration;
}

}  // namespace pulsecast
