// Rows of one series or many, in columns and with words around them.
#pragma once

#include "pulsecast/testing/files/true_file.h"

namespace pulsecast::testing {

inline std::vector<TrueFile> files_of_layouts() {
  const char* const shops[] = {"north", "south", "west"};
  const std::map<std::string, std::size_t> three = {{"north", 0}, {"south", 1}, {"west", 2}};
  const std::map<std::string, std::size_t> numbered = {{"1", 0}, {"2", 1}, {"3", 2}};
  const std::map<std::string, std::size_t> one = {{"a", 0}};
  return {
      {"plain",
       lines("date,a", 60, kDay,
             [](std::size_t row, Instant t) {
               return fmt::format("{},{}", date_text(t), truth_at(0, row));
             }),
       one},
      // Rows of many series under names that nobody declared.
      {"shops, one after another",
       panel("store,day,sales", false,
             [&](std::size_t s, std::size_t row, const std::string& day) {
               return fmt::format("{},{},{}", shops[s], day, truth_at(s, row));
             }),
       three},
      {"shops, day by day",
       panel("day,store,sales", true,
             [&](std::size_t s, std::size_t row, const std::string& day) {
               return fmt::format("{},{},{}", day, shops[s], truth_at(s, row));
             }),
       three},
      {"shops with what is true of each",
       panel("SystemCodeNumber,Capacity,Occupancy,LastUpdated", false,
             [&](std::size_t s, std::size_t row, const std::string& day) {
               return fmt::format("{},{},{},{}", shops[s], 100 * (s + 1), truth_at(s, row), day);
             }),
       three},
      {"shops with their town and weekday in words",
       panel("day,weekday,town,shop,sold", true,
             [&](std::size_t s, std::size_t row, const std::string& day) {
               return fmt::format("{},{},{},{},{}", day, row % 7 < 5 ? "work" : "rest",
                                  s < 2 ? "Ulm" : "Kiel", shops[s], truth_at(s, row));
             }),
       three},
      {"shops with two columns of numbers",
       panel("store,day,sales,price", false,
             [&](std::size_t s, std::size_t row, const std::string& day) {
               return fmt::format("{},{},{},{}", shops[s], day, truth_at(s, row), row % 11);
             }),
       three, "1d", 60, "id-column"},
      {"shops that are numbers",
       panel("store,day,sales", true,
             [&](std::size_t s, std::size_t row, const std::string& day) {
               return fmt::format("{},{},{}", s + 1, day, truth_at(s, row));
             }),
       numbered, "1d", 60, "id-column"},
      {"shops and goods",
       panel("day,shop,item,sold", true,
             [&](std::size_t s, std::size_t row, const std::string& day) {
               return fmt::format("{},{},{},{}", day, s < 2 ? "a" : "b", s == 1 ? "y" : "x",
                                  truth_at(s, row));
             }),
       {{"a/x", 0}, {"a/y", 1}, {"b/x", 2}}},
      // Stamps in several columns.
      {"a date and a finer stamp",
       lines("date,ts,a", 200, kHour,
             [](std::size_t row, Instant t) {
               return fmt::format("{},{},{}", date_text(t), to_text(t, Zone()), truth_at(0, row));
             }),
       one, "1h", 200},
      {"date and time",
       lines("Date;Time;a", 200, kHour,
             [](std::size_t row, Instant t) {
               return fmt::format("{:02}/{:02}/{};{:02}:00:00;{}", wall(t).day, wall(t).month,
                                  wall(t).year, wall(t).hour, truth_at(0, row));
             }),
       one, "1h", 200, "day-order"},
      {"time before date, with points",
       lines("Time;Date;a", 800, kHour,
             [](std::size_t row, Instant t) {
               return fmt::format("{:02}.00.00;{:02}/{:02}/{};{}", wall(t).hour, wall(t).day,
                                  wall(t).month, wall(t).year, truth_at(0, row));
             }),
       one, "1h", 800},
      {"date and hour",
       lines("date,hour,a", 200, kHour,
             [](std::size_t row, Instant t) {
               return fmt::format("{},{},{}", date_text(t), wall(t).hour, truth_at(0, row));
             }),
       one, "1h", 200},
      {"year, month, day, hour",
       lines("year,month,day,hour,a", 200, kHour,
             [](std::size_t row, Instant t) {
               return fmt::format("{},{},{},{},{}", wall(t).year, wall(t).month, wall(t).day,
                                  wall(t).hour, truth_at(0, row));
             }),
       one, "1h", 200},
      {"row numbers without a name",
       lines(",date,a", 60, kDay,
             [](std::size_t row, Instant t) {
               return fmt::format("{},{},{}", row, date_text(t), truth_at(0, row));
             }),
       one},
      // What people put around numbers and tables.
      {"thousands with points and decimal commas",
       lines("date;a", 60, kDay,
             [](std::size_t row, Instant t) {
               std::string cell = fmt::format("{:.3f}", truth_at(0, row));
               std::replace(cell.begin(), cell.end(), '.', ',');
               return fmt::format("{};{}", date_text(t), cell);
             }),
       one},
      {"prices with a sign",
       lines("date,a", 60, kDay,
             [](std::size_t row, Instant t) {
               return fmt::format("{},${}", date_text(t), truth_at(0, row));
             }),
       one},
      {"percent",
       lines("date,a", 60, kDay,
             [](std::size_t row, Instant t) {
               return fmt::format("{},{} %", date_text(t), truth_at(0, row));
             }),
       one},
      {"lines of comment above the header",
       "# made by hand\n# units: kW\n\n" + lines("date,a", 60, kDay,
                                                 [](std::size_t row, Instant t) {
                                                   return fmt::format("{},{}", date_text(t),
                                                                      truth_at(0, row));
                                                 }),
       one},
      {"a title above the header",
       "Load of the north\n" + lines("date,a", 60, kDay,
                                     [](std::size_t row, Instant t) {
                                       return fmt::format("{},{}", date_text(t), truth_at(0, row));
                                     }),
       one},
      {"a title padded by a spreadsheet",
       "Load of the north,,\n" + lines("date,a,b", 60, kDay,
                                       [](std::size_t row, Instant t) {
                                         return fmt::format("{},{},{}", date_text(t),
                                                            truth_at(0, row), truth_at(1, row));
                                       }),
       {{"a", 0}, {"b", 1}}},
      // Words.
      {"a column of remarks",
       lines("date,a,comment", 60, kDay,
             [](std::size_t row, Instant t) {
               return fmt::format("{},{},remark {}", date_text(t), truth_at(0, row), row);
             }),
       one, "1d", 60, "ignore"},
      {"remarks here and there",
       lines("date,a,comment", 60, kDay,
             [](std::size_t row, Instant t) {
               return fmt::format("{},{},{}", date_text(t), truth_at(0, row),
                                  row % 9 == 4 ? "closed early" : "");
             }),
       one, "1d", 60, "ignore"},
      // Wall clocks.
      {"hours of Berlin in autumn", berlin(600, kHour), one, "1h", 600, "time-zone"},
      {"quarters of an hour of Berlin", berlin(1500, kHour / 4), one, "15min", 1500, "time-zone"},
      {"hours of Berlin until April", berlin(4300, kHour), one, "1h", 4300, "time-zone"},
  };
}

}  // namespace pulsecast::testing
