/* Learns from the sales of three shops, which lie in memory, keeps the model, and forecasts a week.
 */
#include <pulsecast/c/pulsecast.h>
#include <stdio.h>

enum { kShops = 3, kDays = 200, kRows = kShops * kDays, kHorizon = 7 };

static const char* const kNames[kShops] = {"north", "east", "west"};

static void hear(void* context, const char* text) { fprintf(context, "%s\n", text); }

/* Rows as they come: a row a shop and day. */
static void fill(int32_t* shops, int64_t* days, double* sold) {
  const int64_t first = 1704067200000; /* 2024-01-01 */
  for (int row = 0; row < kRows; ++row) {
    const int day = row % kDays;
    shops[row] = row / kDays;
    days[row] = first + day * INT64_C(86400000);
    sold[row] = 50 * (shops[row] + 1) + 10 * (day % 7) + day * day % 11;
  }
}

/* Each step can fail; the first that does ends the trip. */
static pulsecast_status forecast_sales(const char* path, pulsecast_error** error) {
  static int32_t shops[kRows];
  static int64_t days[kRows];
  static double sold[kRows];
  fill(shops, days, sold);

  const pulsecast_watch watch = {.size = sizeof watch, .context = stderr, .on_remark = hear};
  const pulsecast_fit_options options = {.size = sizeof options, .watch = &watch};
  const double levels[] = {80};
  const pulsecast_forecast_options ranges = {
      .size = sizeof ranges, .levels = levels, .level_count = 1, .non_negative = 1};
  pulsecast_table table = {.size = sizeof table};

  pulsecast_settings* settings = NULL;
  pulsecast_source* source = NULL;
  pulsecast_rows* rows = NULL;
  pulsecast_model* model = NULL;
  pulsecast_forecast* next = NULL;
  pulsecast_status status = PULSECAST_OK;
  if ((status = pulsecast_settings_new(&settings, error)) ||
      (status = pulsecast_settings_set(settings, "horizon", "7d", error)) ||
      (status = pulsecast_settings_set(settings, "lookback", "28", error)) ||
      (status = pulsecast_settings_set(settings, "epochs", "3", error)) ||
      /* Columns by name, as in a file: unique_id and ds are found, y is what is forecast. */
      (status = pulsecast_source_columns("sales", &source, error)) ||
      (status =
           pulsecast_source_add_labels(source, "unique_id", shops, kRows, kNames, kShops, error)) ||
      (status = pulsecast_source_add_stamps(source, "ds", days, kRows, NULL, error)) ||
      (status = pulsecast_source_add_doubles(source, "y", sold, kRows, 1, error)) ||
      (status = pulsecast_rows_new(source, settings, NULL, NULL, NULL, &rows, error)) ||
      (status = pulsecast_fit(rows, settings, &options, &model, error)) ||
      (status = pulsecast_model_save(model, path, error))) {
    goto done;
  }

  /* The rows went into the model: they are read again, as that model wants them. */
  pulsecast_rows_free(rows);
  if ((status = pulsecast_rows_new(source, NULL, model, NULL, NULL, &rows, error)) ||
      (status = pulsecast_model_forecast(model, rows, &ranges, &next, error)) ||
      (status = pulsecast_forecast_table(next, &table, error))) {
    goto done;
  }
  for (size_t row = 0; row < table.rows; ++row) {
    printf("%s,%lld,%g,%g,%g\n", table.ids[table.series[row]], (long long)table.stamps[row],
           table.columns[0][row], table.columns[1][row], table.columns[2][row]);
  }

done:
  pulsecast_forecast_free(next);
  pulsecast_model_free(model);
  pulsecast_rows_free(rows);
  pulsecast_source_free(source);
  pulsecast_settings_free(settings);
  return status;
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fputs("usage: c MODEL\n", stderr);
    return 2;
  }
  pulsecast_error* error = NULL;
  const pulsecast_status status = forecast_sales(argv[1], &error);
  if (status != PULSECAST_OK) {
    fprintf(stderr, "%s\n", pulsecast_error_text(error));
    pulsecast_error_free(error);
  }
  return (int)status;
}
