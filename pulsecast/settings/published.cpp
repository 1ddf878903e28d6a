#include "pulsecast/settings/published.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "pulsecast/base/near_miss.h"

namespace pulsecast {
namespace {

using B = BackboneKind;

constexpr ScheduleKind kHalving = ScheduleKind::kHalving;
constexpr ScheduleKind kPlain = ScheduleKind::kPlain;
constexpr ScheduleKind kGentle = ScheduleKind::kGentle;

constexpr std::string_view kHour = "hour_of_day";
constexpr std::string_view kMinuteHour = "minute_of_hour+hour_of_day";
constexpr std::string_view kHourSeason = "hour_of_day+season_of_year";
constexpr std::string_view kHourMonthSeason = "hour_of_day+month_of_year+season_of_year";
constexpr std::string_view kFour = "hour_of_day+day_of_week+day_of_month+day_of_year";

// Time-Series-Library is github.com/thuml/Time-Series-Library:
// scripts/long_term_forecast/ETT_script, and the defaults of run.py for what they leave out.
// clang-format off
constexpr std::array kPublished = std::to_array<Published>({
    // backbone, dataset, H, T, width, heads, layers, feed-forward, dropout, batch, rate, schedule, epochs, patience, features, source, sizes of its own
    {B::kMlp, "", 0, 96, 0, 0, 0, 0, 0.1, 256, 0.005, kPlain, 30, 5, kHour, "the paper's backbone; training as PULSE's"},

    {B::kDLinear, "", 0, 96, 0, 0, 0, 0, 0.1, 32, 0.0001, kHalving, 10, 3, kHour, "Time-Series-Library, run.py"},
    {B::kDLinear, "ETTh1", 0, 96, 0, 0, 0, 0, 0.1, 32, 0.0001, kHalving, 10, 3, kHour, "Time-Series-Library, DLinear_ETTh1.sh"},
    {B::kDLinear, "ETTh2", 0, 96, 0, 0, 0, 0, 0.1, 32, 0.0001, kHalving, 10, 3, kHour, "Time-Series-Library has no script for it; as ETTh1"},

    {B::kSparseTsf, "", 0, 720, 0, 0, 0, 0, 0.1, 256, 0.02, kPlain, 30, 5, kHour, "lss-1138/SparseTSF, scripts/SparseTSF/linear/etth1.sh"},
    {B::kSparseTsf, "ETTh1", 0, 720, 0, 0, 0, 0, 0.1, 256, 0.02, kPlain, 30, 5, kHour, "lss-1138/SparseTSF, scripts/SparseTSF/linear/etth1.sh"},
    {B::kSparseTsf, "ETTh2", 0, 720, 0, 0, 0, 0, 0.1, 256, 0.03, kPlain, 30, 5, kHour, "lss-1138/SparseTSF, scripts/SparseTSF/linear/etth2.sh"},
    {B::kSparseTsf, "ETTm1", 0, 720, 0, 0, 0, 0, 0.1, 256, 0.02, kPlain, 30, 5, kHour, "lss-1138/SparseTSF, scripts/SparseTSF/linear/ettm1.sh", {.cycle = 4}},
    {B::kSparseTsf, "ETTm2", 0, 720, 0, 0, 0, 0, 0.1, 256, 0.02, kPlain, 30, 5, kHour, "lss-1138/SparseTSF, scripts/SparseTSF/linear/ettm2.sh", {.cycle = 4}},
    {B::kSparseTsf, "Weather", 0, 720, 0, 0, 0, 0, 0.1, 256, 0.02, kPlain, 30, 5, kHour, "lss-1138/SparseTSF, scripts/SparseTSF/linear/weather.sh", {.cycle = 4}},
    {B::kSparseTsf, "Solar", 0, 720, 0, 0, 0, 0, 0.1, 256, 0.02, kPlain, 30, 5, kHour, "lss-1138/SparseTSF, scripts/SparseTSF/linear/solar.sh", {.cycle = 4}},
    {B::kSparseTsf, "Electricity", 0, 720, 0, 0, 0, 0, 0.1, 128, 0.02, kPlain, 30, 5, kHour, "lss-1138/SparseTSF, scripts/SparseTSF/linear/electricity.sh", {.cycle = 24}},
    {B::kSparseTsf, "Traffic", 0, 720, 0, 0, 0, 0, 0.1, 128, 0.03, kPlain, 30, 5, kHour, "lss-1138/SparseTSF, scripts/SparseTSF/linear/traffic.sh", {.cycle = 24}},

    {B::kCycleNet, "", 0, 96, 0, 0, 0, 0, 0.1, 256, 0.01, kPlain, 30, 5, kHour, "ACAT-SCUT/CycleNet, scripts/CycleNet/Linear-Input-96/etth1.sh"},
    {B::kCycleNet, "ETTh1", 0, 96, 0, 0, 0, 0, 0.1, 256, 0.01, kPlain, 30, 5, kHour, "ACAT-SCUT/CycleNet, scripts/CycleNet/Linear-Input-96/etth1.sh"},
    {B::kCycleNet, "ETTh2", 0, 96, 0, 0, 0, 0, 0.1, 256, 0.01, kPlain, 30, 5, kHour, "ACAT-SCUT/CycleNet, scripts/CycleNet/Linear-Input-96/etth2.sh"},
    {B::kCycleNet, "ETTm1", 0, 96, 0, 0, 0, 0, 0.1, 256, 0.01, kPlain, 30, 5, kHour, "ACAT-SCUT/CycleNet, scripts/CycleNet/Linear-Input-96/ettm1.sh"},
    {B::kCycleNet, "ETTm2", 0, 96, 0, 0, 0, 0, 0.1, 256, 0.01, kPlain, 30, 5, kHour, "ACAT-SCUT/CycleNet, scripts/CycleNet/Linear-Input-96/ettm2.sh"},
    {B::kCycleNet, "Weather", 0, 96, 0, 0, 0, 0, 0.1, 256, 0.01, kPlain, 30, 5, kHour, "ACAT-SCUT/CycleNet, scripts/CycleNet/Linear-Input-96/weather.sh"},
    {B::kCycleNet, "Electricity", 0, 96, 0, 0, 0, 0, 0.1, 64, 0.01, kPlain, 30, 5, kHour, "ACAT-SCUT/CycleNet, scripts/CycleNet/Linear-Input-96/electricity.sh"},
    {B::kCycleNet, "Traffic", 0, 96, 0, 0, 0, 0, 0.1, 64, 0.01, kPlain, 30, 5, kHour, "ACAT-SCUT/CycleNet, scripts/CycleNet/Linear-Input-96/traffic.sh"},

    {B::kITransformer, "", 0, 96, 512, 8, 2, 512, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "training: thuml/iTransformer, run.py; sizes: PULSE's own comparison, feed-forward ours"},
    {B::kITransformer, "ETTh1", 96, 96, 256, 8, 2, 256, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "thuml/iTransformer, scripts/multivariate_forecasting/ETT/iTransformer_ETTh1.sh"},
    {B::kITransformer, "ETTh1", 192, 96, 256, 8, 2, 256, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "thuml/iTransformer, scripts/multivariate_forecasting/ETT/iTransformer_ETTh1.sh"},
    {B::kITransformer, "ETTh1", 336, 96, 512, 8, 2, 512, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "thuml/iTransformer, scripts/multivariate_forecasting/ETT/iTransformer_ETTh1.sh"},
    {B::kITransformer, "ETTh1", 720, 96, 512, 8, 2, 512, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "thuml/iTransformer, scripts/multivariate_forecasting/ETT/iTransformer_ETTh1.sh"},
    {B::kITransformer, "ETTh2", 0, 96, 128, 8, 2, 128, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, iTransformer_ETTh2.sh"},
    {B::kITransformer, "ETTm1", 0, 96, 128, 8, 2, 128, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "thuml/iTransformer, scripts/multivariate_forecasting/ETT/iTransformer_ETTm1.sh"},
    {B::kITransformer, "ETTm2", 0, 96, 128, 8, 2, 128, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "thuml/iTransformer, scripts/multivariate_forecasting/ETT/iTransformer_ETTm2.sh"},
    {B::kITransformer, "Weather", 0, 96, 512, 8, 3, 512, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "thuml/iTransformer, scripts/multivariate_forecasting/Weather/iTransformer.sh"},
    {B::kITransformer, "Solar", 0, 96, 512, 8, 2, 512, 0.1, 32, 0.0005, kHalving, 10, 3, kFour, "thuml/iTransformer, scripts/multivariate_forecasting/SolarEnergy/iTransformer.sh"},
    {B::kITransformer, "Electricity", 0, 96, 512, 8, 3, 512, 0.1, 16, 0.0005, kHalving, 10, 3, kFour, "thuml/iTransformer, scripts/multivariate_forecasting/ECL/iTransformer.sh"},
    {B::kITransformer, "Traffic", 0, 96, 512, 8, 4, 512, 0.1, 16, 0.001, kHalving, 10, 3, kFour, "thuml/iTransformer, scripts/multivariate_forecasting/Traffic/iTransformer.sh"},

    {B::kPatchTst, "", 0, 96, 128, 8, 1, 256, 0.1, 32, 0.0001, kHalving, 10, 3, kHour, "training: Time-Series-Library, run.py; sizes: PULSE's own comparison, heads and feed-forward ours"},
    // Its authors' own, at the look-back of the paper's tables. Time-Series-Library's scripts have a
    // width of 512 and 2048 inside, two hundred times the arithmetic.
    {B::kPatchTst, "ETTh1", 0, 96, 16, 4, 3, 128, 0.3, 128, 0.0001, kGentle, 100, 10, kHour, "yuqinie98/PatchTST, PatchTST_supervised/scripts/PatchTST/etth1.sh; look-back 96 for 336, patience 10 for 100"},
    {B::kPatchTst, "ETTh2", 0, 96, 16, 4, 3, 128, 0.3, 128, 0.0001, kGentle, 100, 10, kHour, "yuqinie98/PatchTST, PatchTST_supervised/scripts/PatchTST/etth2.sh; look-back 96 for 336, patience 10 for 100"},
    {B::kPatchTst, "ETTm1", 0, 96, 128, 16, 3, 256, 0.2, 128, 0.0001, kGentle, 100, 10, kHour, "yuqinie98/PatchTST, PatchTST_supervised/scripts/PatchTST/ettm1.sh; look-back 96 for 336, patience 10 for 20, type3 for one cycle"},
    {B::kPatchTst, "ETTm2", 0, 96, 128, 16, 3, 256, 0.2, 128, 0.0001, kGentle, 100, 10, kHour, "yuqinie98/PatchTST, PatchTST_supervised/scripts/PatchTST/ettm2.sh; look-back 96 for 336, patience 10 for 20, type3 for one cycle"},
    {B::kPatchTst, "Weather", 0, 96, 128, 16, 3, 256, 0.2, 128, 0.0001, kGentle, 100, 10, kHour, "yuqinie98/PatchTST, PatchTST_supervised/scripts/PatchTST/weather.sh; look-back 96 for 336, patience 10 for 20"},

    {B::kTimeXer, "", 0, 96, 256, 8, 1, 1024, 0.1, 16, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTh2.sh at horizon 96"},
    {B::kTimeXer, "ETTh1", 96, 96, 256, 8, 1, 2048, 0.1, 4, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTh1.sh"},
    {B::kTimeXer, "ETTh1", 192, 96, 128, 8, 2, 2048, 0.1, 4, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTh1.sh"},
    {B::kTimeXer, "ETTh1", 336, 96, 512, 8, 1, 1024, 0.1, 16, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTh1.sh"},
    {B::kTimeXer, "ETTh1", 720, 96, 256, 8, 1, 1024, 0.1, 16, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTh1.sh"},
    {B::kTimeXer, "ETTh2", 96, 96, 256, 8, 1, 1024, 0.1, 16, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTh2.sh"},
    {B::kTimeXer, "ETTh2", 192, 96, 256, 8, 1, 1024, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTh2.sh"},
    {B::kTimeXer, "ETTh2", 336, 96, 512, 8, 2, 1024, 0.1, 4, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTh2.sh"},
    {B::kTimeXer, "ETTh2", 720, 96, 256, 8, 2, 1024, 0.1, 16, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTh2.sh"},
    {B::kTimeXer, "ETTm1", 96, 96, 256, 8, 1, 2048, 0.1, 4, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTm1.sh"},
    {B::kTimeXer, "ETTm1", 192, 96, 256, 8, 1, 256, 0.1, 4, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTm1.sh"},
    {B::kTimeXer, "ETTm1", 336, 96, 256, 8, 1, 1024, 0.1, 4, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTm1.sh"},
    {B::kTimeXer, "ETTm1", 720, 96, 256, 8, 1, 512, 0.1, 4, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTm1.sh"},
    {B::kTimeXer, "ETTm2", 96, 96, 256, 8, 1, 2048, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTm2.sh"},
    {B::kTimeXer, "ETTm2", 192, 96, 256, 8, 1, 1024, 0.1, 16, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTm2.sh"},
    {B::kTimeXer, "ETTm2", 336, 96, 512, 8, 1, 1024, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTm2.sh"},
    {B::kTimeXer, "ETTm2", 720, 96, 512, 8, 1, 2048, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimeXer_ETTm2.sh"},
    {B::kTimeXer, "Weather", 96, 96, 256, 8, 1, 512, 0.1, 4, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, Weather_script/TimeXer.sh"},
    {B::kTimeXer, "Weather", 192, 96, 128, 8, 3, 1024, 0.1, 4, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, Weather_script/TimeXer.sh"},
    {B::kTimeXer, "Weather", 336, 96, 256, 8, 1, 2048, 0.1, 4, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, Weather_script/TimeXer.sh"},
    {B::kTimeXer, "Weather", 720, 96, 128, 8, 1, 2048, 0.1, 4, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, Weather_script/TimeXer.sh"},
    {B::kTimeXer, "Electricity", 96, 96, 512, 8, 4, 512, 0.1, 4, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, ECL_script/TimeXer.sh"},
    {B::kTimeXer, "Electricity", 192, 96, 512, 8, 3, 2048, 0.1, 4, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, ECL_script/TimeXer.sh"},
    {B::kTimeXer, "Electricity", 336, 96, 512, 8, 4, 2048, 0.1, 4, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, ECL_script/TimeXer.sh"},
    {B::kTimeXer, "Electricity", 720, 96, 512, 8, 3, 2048, 0.1, 4, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, ECL_script/TimeXer.sh"},
    {B::kTimeXer, "Traffic", 96, 96, 512, 8, 3, 512, 0.1, 16, 0.001, kHalving, 10, 3, kFour, "Time-Series-Library, Traffic_script/TimeXer.sh"},
    {B::kTimeXer, "Traffic", 192, 96, 512, 8, 3, 512, 0.1, 16, 0.001, kHalving, 10, 3, kFour, "Time-Series-Library, Traffic_script/TimeXer.sh"},
    {B::kTimeXer, "Traffic", 336, 96, 512, 8, 2, 512, 0.1, 16, 0.001, kHalving, 10, 3, kFour, "Time-Series-Library, Traffic_script/TimeXer.sh"},
    {B::kTimeXer, "Traffic", 720, 96, 512, 8, 2, 512, 0.1, 16, 0.001, kHalving, 10, 3, kFour, "Time-Series-Library, Traffic_script/TimeXer.sh"},

    {B::kTimesNet, "", 0, 96, 32, 0, 2, 32, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimesNet_ETTh2.sh"},
    {B::kTimesNet, "ETTh1", 0, 96, 16, 0, 2, 32, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimesNet_ETTh1.sh"},
    {B::kTimesNet, "ETTh2", 0, 96, 32, 0, 2, 32, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimesNet_ETTh2.sh"},
    {B::kTimesNet, "ETTm1", 96, 96, 64, 0, 2, 64, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimesNet_ETTm1.sh"},
    {B::kTimesNet, "ETTm1", 192, 96, 64, 0, 2, 64, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimesNet_ETTm1.sh"},
    {B::kTimesNet, "ETTm1", 336, 96, 16, 0, 2, 32, 0.1, 32, 0.0001, kHalving, 3, 3, kFour, "Time-Series-Library, TimesNet_ETTm1.sh"},
    {B::kTimesNet, "ETTm1", 720, 96, 16, 0, 2, 32, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimesNet_ETTm1.sh"},
    {B::kTimesNet, "ETTm2", 96, 96, 32, 0, 2, 32, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimesNet_ETTm2.sh"},
    {B::kTimesNet, "ETTm2", 192, 96, 32, 0, 2, 32, 0.1, 32, 0.0001, kHalving, 1, 3, kFour, "Time-Series-Library, TimesNet_ETTm2.sh"},
    {B::kTimesNet, "ETTm2", 336, 96, 32, 0, 2, 32, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, TimesNet_ETTm2.sh"},
    {B::kTimesNet, "ETTm2", 720, 96, 16, 0, 2, 32, 0.1, 32, 0.0001, kHalving, 1, 3, kFour, "Time-Series-Library, TimesNet_ETTm2.sh"},
    {B::kTimesNet, "Weather", 96, 96, 32, 0, 2, 32, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, Weather_script/TimesNet.sh"},
    {B::kTimesNet, "Weather", 192, 96, 32, 0, 2, 32, 0.1, 32, 0.0001, kHalving, 1, 3, kFour, "Time-Series-Library, Weather_script/TimesNet.sh"},
    {B::kTimesNet, "Weather", 336, 96, 32, 0, 2, 32, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, Weather_script/TimesNet.sh"},
    {B::kTimesNet, "Weather", 720, 96, 32, 0, 2, 32, 0.1, 32, 0.0001, kHalving, 1, 3, kFour, "Time-Series-Library, Weather_script/TimesNet.sh"},
    {B::kTimesNet, "Electricity", 0, 96, 256, 0, 2, 512, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, ECL_script/TimesNet.sh"},
    {B::kTimesNet, "Traffic", 0, 96, 512, 0, 2, 512, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "Time-Series-Library, Traffic_script/TimesNet.sh"},

    // Patience is of epochs worse than the best; theirs, of epochs worse than the one before.
    {B::kCfpt, "", 0, 96, 512, 0, 3, 0, 0.1, 16, 0.0001, kHalving, 10, 2, kHour, "BUPT-SN/CFPT, scripts/ETTh1_96_192.sh", {.patch = 24, .kernel = 3, .calendar_shrink = 1, .frequency_share = 0.5}},
    {B::kCfpt, "ETTh1", 96, 96, 512, 0, 3, 0, 0.1, 8, 0.0001, kHalving, 10, 2, kHour, "BUPT-SN/CFPT, scripts/ETTh1_96_96.sh", {.patch = 24, .kernel = 3, .calendar_shrink = 1, .frequency_share = 0.5}},
    {B::kCfpt, "ETTh1", 192, 96, 512, 0, 3, 0, 0.1, 16, 0.0001, kHalving, 10, 2, kHour, "BUPT-SN/CFPT, scripts/ETTh1_96_192.sh", {.patch = 24, .kernel = 3, .calendar_shrink = 1, .frequency_share = 0.5}},
    {B::kCfpt, "ETTh1", 336, 96, 512, 0, 3, 0, 0.1, 16, 0.0001, kHalving, 10, 2, kHour, "BUPT-SN/CFPT, scripts/ETTh1_96_336.sh", {.patch = 24, .kernel = 5, .calendar_shrink = 1, .frequency_share = 0.7}},
    {B::kCfpt, "ETTh1", 720, 96, 512, 0, 3, 0, 0.1, 16, 0.0001, kHalving, 10, 2, kHour, "BUPT-SN/CFPT, scripts/ETTh1_96_720.sh", {.patch = 24, .kernel = 2, .calendar_shrink = 1, .frequency_share = 0.3}},
    {B::kCfpt, "ETTh2", 96, 96, 256, 0, 1, 0, 0.1, 4, 0.0001, kHalving, 10, 2, kHour, "BUPT-SN/CFPT, scripts/ETTh2_96_96.sh", {.patch = 24, .kernel = 2, .calendar_shrink = 1, .frequency_share = 0.6}},
    {B::kCfpt, "ETTh2", 192, 96, 1024, 0, 1, 0, 0.1, 16, 0.0001, kHalving, 10, 2, kHour, "BUPT-SN/CFPT, scripts/ETTh2_96_192.sh", {.patch = 24, .kernel = 2, .calendar_shrink = 1, .frequency_share = 0.4}},
    {B::kCfpt, "ETTh2", 336, 96, 512, 0, 6, 0, 0.1, 128, 0.0001, kHalving, 10, 2, kHour, "BUPT-SN/CFPT, scripts/ETTh2_96_336.sh", {.patch = 24, .kernel = 3, .calendar_shrink = 1, .frequency_share = 0.9}},
    {B::kCfpt, "ETTh2", 720, 96, 1024, 0, 1, 0, 0.1, 32, 0.0001, kHalving, 10, 2, kHourMonthSeason, "BUPT-SN/CFPT, scripts/ETTh2_96_720.sh", {.patch = 24, .kernel = 2, .calendar_shrink = 1, .frequency_share = 0.4}},
    {B::kCfpt, "ETTm1", 96, 96, 1024, 0, 3, 0, 0.1, 16, 0.0001, kHalving, 10, 2, kMinuteHour, "BUPT-SN/CFPT, scripts/ETTm1_96_96.sh", {.patch = 24, .kernel = 2, .calendar_shrink = 1, .frequency_share = 0.6}},
    {B::kCfpt, "ETTm1", 192, 96, 512, 0, 1, 0, 0.1, 8, 0.0001, kHalving, 10, 2, kMinuteHour, "BUPT-SN/CFPT, scripts/ETTm1_96_192.sh", {.patch = 24, .kernel = 2, .calendar_shrink = 1, .frequency_share = 0.9}},
    {B::kCfpt, "ETTm1", 336, 96, 256, 0, 1, 0, 0.1, 8, 0.0001, kHalving, 10, 2, kMinuteHour, "BUPT-SN/CFPT, scripts/ETTm1_96_336.sh", {.patch = 24, .kernel = 2, .calendar_shrink = 1, .frequency_share = 0.9}},
    {B::kCfpt, "ETTm1", 720, 96, 512, 0, 1, 0, 0.1, 8, 0.0001, kHalving, 10, 2, kMinuteHour, "BUPT-SN/CFPT, scripts/ETTm1_96_720.sh", {.patch = 24, .kernel = 2, .calendar_shrink = 1, .frequency_share = 0.9}},
    {B::kCfpt, "ETTm2", 96, 96, 512, 0, 1, 0, 0.1, 4, 0.0001, kHalving, 10, 2, kHour, "BUPT-SN/CFPT, scripts/ETTm2_96_96.sh", {.patch = 24, .kernel = 2, .calendar_shrink = 1, .frequency_share = 0.3}},
    {B::kCfpt, "ETTm2", 192, 96, 512, 0, 1, 0, 0.1, 4, 0.0001, kHalving, 10, 2, kHour, "BUPT-SN/CFPT, scripts/ETTm2_96_192.sh", {.patch = 24, .kernel = 2, .calendar_shrink = 1, .frequency_share = 0.3}},
    {B::kCfpt, "ETTm2", 336, 96, 512, 0, 1, 0, 0.1, 4, 0.0001, kHalving, 10, 2, kHour, "BUPT-SN/CFPT, scripts/ETTm2_96_336.sh", {.patch = 24, .kernel = 2, .calendar_shrink = 1, .frequency_share = 0.3}},
    {B::kCfpt, "ETTm2", 720, 96, 512, 0, 1, 0, 0.1, 4, 0.0001, kHalving, 10, 2, kHour, "BUPT-SN/CFPT, scripts/ETTm2_96_720.sh", {.patch = 24, .kernel = 2, .calendar_shrink = 1, .frequency_share = 0.3}},
    {B::kCfpt, "Weather", 96, 96, 512, 0, 3, 0, 0.1, 128, 0.005, kHalving, 10, 2, kHourSeason, "BUPT-SN/CFPT, scripts/Weather_96_96.sh", {.patch = 24, .kernel = 5, .calendar_shrink = 4, .frequency_share = 0.6}},
    {B::kCfpt, "Weather", 192, 96, 256, 0, 3, 0, 0.1, 128, 0.005, kHalving, 10, 2, kHourSeason, "BUPT-SN/CFPT, scripts/Weather_96_192.sh", {.patch = 24, .kernel = 2, .calendar_shrink = 4, .frequency_share = 0.6}},
    {B::kCfpt, "Weather", 336, 96, 256, 0, 3, 0, 0.1, 128, 0.005, kHalving, 10, 2, kHourSeason, "BUPT-SN/CFPT, scripts/Weather_96_336.sh", {.patch = 24, .kernel = 5, .calendar_shrink = 4, .frequency_share = 0.9}},
    {B::kCfpt, "Weather", 720, 96, 128, 0, 3, 0, 0.1, 128, 0.005, kHalving, 10, 2, kHourSeason, "BUPT-SN/CFPT, scripts/Weather_96_720.sh", {.patch = 24, .kernel = 5, .calendar_shrink = 4, .frequency_share = 0.9}},

    {B::kMsgNet, "", 0, 96, 32, 8, 1, 64, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/ETTh1.sh", {.top_periods = 3, .graph_channels = 32}},
    {B::kMsgNet, "ETTh1", 96, 96, 32, 8, 1, 64, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/ETTh1.sh", {.top_periods = 3, .graph_channels = 32}},
    {B::kMsgNet, "ETTh1", 192, 96, 32, 8, 1, 64, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/ETTh1.sh", {.top_periods = 3, .graph_channels = 32}},
    {B::kMsgNet, "ETTh1", 336, 96, 32, 8, 2, 64, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/ETTh1.sh", {.top_periods = 3, .graph_channels = 32}},
    {B::kMsgNet, "ETTh1", 720, 96, 16, 8, 1, 32, 0.1, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/ETTh1.sh", {.top_periods = 3, .graph_channels = 32}},
    {B::kMsgNet, "ETTh2", 0, 96, 16, 8, 2, 32, 0.05, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/ETTh2.sh", {.top_periods = 5, .graph_channels = 32}},
    {B::kMsgNet, "ETTm1", 96, 96, 32, 8, 1, 32, 0.05, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/ETTm1.sh", {.top_periods = 3, .graph_channels = 32}},
    {B::kMsgNet, "ETTm1", 192, 96, 32, 8, 1, 32, 0.05, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/ETTm1.sh", {.top_periods = 3, .graph_channels = 16}},
    {B::kMsgNet, "ETTm1", 336, 96, 32, 8, 1, 32, 0.05, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/ETTm1.sh", {.top_periods = 3, .graph_channels = 16}},
    {B::kMsgNet, "ETTm1", 720, 96, 32, 8, 1, 32, 0.05, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/ETTm1.sh", {.top_periods = 3, .graph_channels = 16}},
    {B::kMsgNet, "ETTm2", 96, 96, 32, 8, 2, 32, 0.3, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/ETTm2.sh", {.top_periods = 3, .graph_channels = 32}},
    {B::kMsgNet, "ETTm2", 192, 96, 32, 8, 2, 64, 0.3, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/ETTm2.sh", {.top_periods = 3, .graph_channels = 32}},
    {B::kMsgNet, "ETTm2", 336, 96, 32, 8, 2, 32, 0.3, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/ETTm2.sh", {.top_periods = 3, .graph_channels = 32}},
    {B::kMsgNet, "ETTm2", 720, 96, 32, 8, 2, 64, 0.3, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/ETTm2.sh", {.top_periods = 3, .graph_channels = 32}},
    {B::kMsgNet, "Weather", 96, 96, 64, 8, 2, 128, 0.05, 32, 0.0001, kHalving, 3, 3, kFour, "YoZhibo/MSGNet, scripts/weather.sh", {.top_periods = 5, .graph_channels = 32}},
    {B::kMsgNet, "Weather", 192, 96, 64, 8, 2, 128, 0.05, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/weather.sh", {.top_periods = 5, .graph_channels = 32}},
    {B::kMsgNet, "Weather", 336, 96, 64, 8, 1, 128, 0.05, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/weather.sh", {.top_periods = 5, .graph_channels = 32}},
    {B::kMsgNet, "Weather", 720, 96, 64, 8, 2, 128, 0.05, 32, 0.0001, kHalving, 10, 3, kFour, "YoZhibo/MSGNet, scripts/weather.sh", {.top_periods = 5, .graph_channels = 32}},

    // ETT's sizes have 42 million weights; those of Weather are for any other data.
    {B::kCrossformer, "", 0, 96, 32, 8, 2, 32, 0.1, 32, 0.0001, kHalving, 10, 3, kHour, "Time-Series-Library, Weather_script/Crossformer.sh", {.patch = 12, .routers = 3}},
    {B::kCrossformer, "ETTh1", 0, 96, 512, 8, 2, 2048, 0.1, 32, 0.0001, kHalving, 10, 3, kHour, "Time-Series-Library, ETT_script/Crossformer_ETTh1.sh", {.patch = 12, .routers = 3}},
    {B::kCrossformer, "ETTh2", 0, 96, 512, 8, 2, 2048, 0.1, 32, 0.0001, kHalving, 10, 3, kHour, "Time-Series-Library, ETT_script/Crossformer_ETTh2.sh", {.patch = 12, .routers = 3}},
    {B::kCrossformer, "ETTm1", 0, 96, 512, 8, 2, 2048, 0.1, 32, 0.0001, kHalving, 10, 3, kHour, "Time-Series-Library, ETT_script/Crossformer_ETTm1.sh", {.patch = 12, .routers = 1}},
    {B::kCrossformer, "ETTm2", 0, 96, 512, 8, 2, 2048, 0.1, 32, 0.0001, kHalving, 10, 3, kHour, "Time-Series-Library, ETT_script/Crossformer_ETTm2.sh", {.patch = 12, .routers = 1}},
    {B::kCrossformer, "Weather", 96, 96, 32, 8, 2, 32, 0.1, 32, 0.0001, kHalving, 10, 3, kHour, "Time-Series-Library, Weather_script/Crossformer.sh", {.patch = 12, .routers = 3}},
    {B::kCrossformer, "Weather", 192, 96, 32, 8, 2, 32, 0.1, 32, 0.0001, kHalving, 1, 3, kHour, "Time-Series-Library, Weather_script/Crossformer.sh", {.patch = 12, .routers = 3}},
    {B::kCrossformer, "Weather", 336, 96, 32, 8, 2, 32, 0.1, 32, 0.0001, kHalving, 10, 3, kHour, "Time-Series-Library, Weather_script/Crossformer.sh", {.patch = 12, .routers = 3}},
    {B::kCrossformer, "Weather", 720, 96, 32, 8, 2, 32, 0.1, 32, 0.0001, kHalving, 1, 3, kHour, "Time-Series-Library, Weather_script/Crossformer.sh", {.patch = 12, .routers = 3}},
    {B::kCrossformer, "Electricity", 0, 96, 256, 8, 2, 512, 0.1, 16, 0.0001, kHalving, 10, 3, kHour, "Time-Series-Library, ECL_script/Crossformer.sh", {.patch = 12, .routers = 3}},
    {B::kCrossformer, "Traffic", 0, 96, 512, 2, 2, 2048, 0.1, 4, 0.0001, kHalving, 10, 3, kHour, "Time-Series-Library, Traffic_script/Crossformer.sh", {.patch = 12, .routers = 3}},

    // Epochs are strengths of the ridge, patience how many weaker ones may be worse.
    {B::kLinear, "", 0, 336, 0, 0, 0, 0, 0.1, 256, 0.001, kPlain, 11, 3, kHour, "a ridge in closed form, ours; by gradients as the mlp's plain training"},
    {B::kChannelLinear, "", 0, 336, 0, 0, 0, 0, 0.1, 256, 0.001, kPlain, 11, 3, kHour, "ridges in closed form, ours; by gradients as the mlp's plain training"},
});
// clang-format on

// Large steps in large batches leave these flat or unsteady under the frequency loss.
constexpr std::array kInside = std::to_array<InsideTraining>({
    // backbone, batch, rate, epochs, patience
    {B::kITransformer, 32, 0.001, 10, 3},
    {B::kPatchTst, 128, 0.001, 30, 5},
    {B::kTimesNet, 32, 0.003, 10, 3},
    {B::kCfpt, 32, 0.001, 10, 3},
    {B::kMsgNet, 32, 0.001, 10, 3},
    {B::kCrossformer, 32, 0.003, 10, 3},
});

}  // namespace

std::span<const Published> published() { return kPublished; }

const Published& published_for(BackboneKind backbone) {
  const auto found = std::ranges::find_if(kPublished, [&](const Published& row) {
    return row.backbone == backbone && row.dataset.empty();
  });
  assert(found != kPublished.end() && "a backbone without published settings");
  return *found;
}

const Published& published_for(BackboneKind backbone, std::string_view dataset,
                               std::int64_t horizon) {
  const auto found = std::ranges::find_if(kPublished, [&](const Published& row) {
    return row.backbone == backbone && !row.dataset.empty() &&
           edit_distance(row.dataset, dataset) == 0 && (row.horizon == 0 || row.horizon == horizon);
  });
  return found == kPublished.end() ? published_for(backbone) : *found;
}

const InsideTraining* inside_training(BackboneKind backbone) {
  const auto found = std::ranges::find(kInside, backbone, &InsideTraining::backbone);
  return found == kInside.end() ? nullptr : &*found;
}

}  // namespace pulsecast
