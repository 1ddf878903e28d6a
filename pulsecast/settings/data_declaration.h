// What each member of DataSettings is called, takes and means, and the words of its choices.
#pragma once

#include <array>

#include "pulsecast/settings/choices.h"
#include "pulsecast/settings/data_settings.h"
#include "pulsecast/settings/declaration.h"

namespace pulsecast {

const Declaration<DataSettings>& data_settings();

// The group of the settings that cut a series into windows; all others make it from a file.
inline constexpr const char* kWindowsGroup = "Windows";

template <>
inline constexpr std::array kChoices<Layout>{
    Choice{Layout::kFound, "found", "decided from the header and the first rows"},
    Choice{Layout::kWide, "wide", "a column a channel"},
    Choice{Layout::kLong, "long", "a row a series and stamp: id, stamp, value"},
    Choice{Layout::kNumbers, "numbers", "numbers alone, without header and stamps"}};

template <>
inline constexpr std::array kChoices<Separator>{
    Choice{Separator::kFound, "found", "whichever cuts the first rows evenly"},
    Choice{Separator::kComma, "comma", ""}, Choice{Separator::kSemicolon, "semicolon", ""},
    Choice{Separator::kTab, "tab", ""}, Choice{Separator::kBlank, "blank", "a run of blanks"}};

template <>
inline constexpr std::array kChoices<Decimal>{
    Choice{Decimal::kFound, "found", "a point, or a comma where it cannot be the separator"},
    Choice{Decimal::kPoint, "point", "1.5"}, Choice{Decimal::kComma, "comma", "1,5"}};

template <>
inline constexpr std::array kChoices<DayOrder>{
    Choice{DayOrder::kFound, "found", "decided over the whole column, refused where it stays open"},
    Choice{DayOrder::kDayFirst, "day-first", "31/12/2024"},
    Choice{DayOrder::kMonthFirst, "month-first", "12/31/2024"}};

template <>
inline constexpr std::array kChoices<Others>{
    Choice{Others::kFound, "found", "targets, or past where targets are named"},
    Choice{Others::kTarget, "target", "to be forecast"},
    Choice{Others::kPast, "past", "seen up to now only"},
    Choice{Others::kIgnore, "ignore", "read past"}};

template <>
inline constexpr std::array kChoices<Grid>{
    Choice{Grid::kTime, "time", "rows lie on an even grid of steps; missing ones are gaps"},
    Choice{Grid::kRows, "rows", "rows as they come; stamps serve the calendar features alone"}};

template <>
inline constexpr std::array kChoices<Fill>{
    Choice{Fill::kRefuse, "refuse", "a missing value is an error"},
    Choice{Fill::kNone, "none", "gaps stay, and no window crosses one"},
    Choice{Fill::kZero, "zero", "0, as where no row means that nothing was sold"},
    Choice{Fill::kPrevious, "previous", "the value before the gap"},
    Choice{Fill::kLinear, "linear", "a straight line from the value before to the value after"},
    Choice{Fill::kSeasonal, "seasonal", "the value one period earlier"}};

template <>
inline constexpr std::array kChoices<Duplicates>{
    Choice{Duplicates::kRefuse, "refuse", "a stamp that comes twice is an error"},
    Choice{Duplicates::kFirst, "first", "the first of the rows with one stamp"},
    Choice{Duplicates::kMean, "mean", "the mean of the rows with one stamp"}};

template <>
inline constexpr std::array kChoices<Order>{
    Choice{Order::kRefuse, "refuse", "a stamp earlier than the one before it is an error"},
    Choice{Order::kSort, "sort", "rows are sorted by stamp"}};

template <>
inline constexpr std::array kChoices<BadRows>{
    Choice{BadRows::kRefuse, "refuse", "a line that cannot become a row is an error"},
    Choice{BadRows::kDrop, "drop", "lines without a readable stamp, or of the wrong length, go"}};

template <>
inline constexpr std::array kChoices<Outliers>{
    Choice{Outliers::kKeep, "keep", "values stay as they are"},
    Choice{Outliers::kClip, "clip",
           "values far beyond all others become the nearest of those; codes such as -999 and runs "
           "of a stuck sensor become gaps"},
    Choice{Outliers::kGap, "gap", "all of these become gaps, for 'fill' to deal with"}};

template <>
inline constexpr std::array kChoices<PhaseSource>{
    Choice{PhaseSource::kTimestamp, "timestamp", "of the wall clock, counted from a Monday 00:00"},
    Choice{PhaseSource::kRow, "row", "of the row number, as the paper's authors ran it"}};

template <>
inline constexpr std::array kChoices<Panel>{
    Choice{Panel::kChannels, "channels",
           "a window has all channels, and the model has weights of its own for each"},
    Choice{Panel::kSeries, "series",
           "a window is of one series, and all series share the model's weights"}};

}  // namespace pulsecast
