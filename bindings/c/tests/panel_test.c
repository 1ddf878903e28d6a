/* Many series: a model of a panel forecasts each, in C as in the program. */
#include "requires.h"

void test_panel(void) {
  pulsecast_error* error = NULL;
  char file[4096];
  char path[4096];
  snprintf(file, sizeof file, "%s", in_folder("panel.csv"));
  snprintf(path, sizeof path, "%s", in_folder("panel.model"));
  char arguments[9000];
  snprintf(arguments, sizeof arguments,
           "data make '%s' --rows 150 --channels 6 --long --shortest 60 --step 1d", file);
  free(printed_by(arguments));
  const char* const told[] = {"panel",  "series", "lookback", "14", "horizon", "7",
                              "epochs", "1",      "hidden",   "8",  NULL};
  pulsecast_settings* settings = settings_of(told);
  pulsecast_rows* rows = rows_of_file(file, settings, NULL);
  pulsecast_model* model = NULL;
  WELL(pulsecast_fit(rows, settings, NULL, &model, &error));
  pulsecast_rows_free(rows);
  WELL(pulsecast_model_save(model, path, &error));
  rows = rows_of_file(file, NULL, model);
  const pulsecast_forecast_options options = {.size = sizeof options, .include_ended = 1};
  pulsecast_forecast* forecast = NULL;
  WELL(pulsecast_model_forecast(model, rows, &options, &forecast, &error));
  char* csv = NULL;
  WELL(pulsecast_forecast_csv(forecast, 0, &csv, &error));
  snprintf(arguments, sizeof arguments, "forecast '%s' '%s' --include-ended", path, file);
  char* printed = printed_by(arguments);
  REQUIRE(strcmp(csv, printed) == 0);
  pulsecast_table table = {.size = sizeof table};
  WELL(pulsecast_forecast_table(forecast, &table, &error));
  REQUIRE(table.id_count == 6 && table.rows == 6 * 7);
  pulsecast_text_free(csv);
  free(printed);
  pulsecast_forecast_free(forecast);
  pulsecast_rows_free(rows);
  pulsecast_model_free(model);
  pulsecast_settings_free(settings);
}
