/* The whole trip: rows, a model, forecasts that are the program's, scores, and what ends it. */
#include "requires.h"

#include <math.h>

enum { kHorizon = 12 };

static const char* const kSmall[] = {"lookback", "24", "horizon", "12", "epochs", "2",
                                     "hidden",   "16", "seed",    "7",  NULL};

typedef struct heard {
  int plans;
  int steps;
  int epochs;
  int progress;
  int cancel_after; /* questions; 0: never */
  int finish_after; /* epochs */
} heard;

static void hear_plan(void* context, const char* json) {
  REQUIRE(strstr(json, "\"horizon\":12") != NULL);
  ++((heard*)context)->plans;
}

static void hear_step(void* context, uint32_t epoch, uint32_t epochs, uint32_t step, uint32_t steps,
                      double mean_loss) {
  REQUIRE(epoch >= 1 && epoch <= epochs && step <= steps && isfinite(mean_loss));
  ++((heard*)context)->steps;
}

static void hear_epoch(void* context, uint32_t epoch, double learning_rate, double training_loss,
                       double validation_mse, double seconds, int is_best) {
  heard* own = context;
  REQUIRE(epoch == (uint32_t)++own->epochs && learning_rate > 0 && training_loss > 0);
  REQUIRE(validation_mse > 0 && seconds >= 0 && (is_best == 0 || is_best == 1));
}

static void hear_progress(void* context, const char* stage, uint64_t done, uint64_t total) {
  REQUIRE(strlen(stage) > 0 && (total == 0 || done <= total));
  ++((heard*)context)->progress;
}

static int is_cancelled(void* context) {
  heard* own = context;
  return own->cancel_after > 0 && --own->cancel_after == 0 ? (own->cancel_after = 1) : 0;
}

static int is_enough(void* context) {
  const heard* own = context;
  return own->finish_after > 0 && own->epochs >= own->finish_after;
}

static pulsecast_watch watch_of(heard* context) {
  return (pulsecast_watch){.size = sizeof(pulsecast_watch),
                           .context = context,
                           .on_progress = hear_progress,
                           .is_cancelled = is_cancelled,
                           .is_asked_to_finish = is_enough};
}

static pulsecast_fit_options options_of(heard* context, const pulsecast_watch* watch) {
  return (pulsecast_fit_options){.size = sizeof(pulsecast_fit_options),
                                 .watch = watch,
                                 .context = context,
                                 .on_plan = hear_plan,
                                 .on_step = hear_step,
                                 .on_epoch = hear_epoch};
}

static pulsecast_model* fitted_model(const char* file) {
  pulsecast_error* error = NULL;
  pulsecast_settings* settings = settings_of(kSmall);
  pulsecast_rows* rows = rows_of_file(file, settings, NULL);
  heard told = {0};
  const pulsecast_watch watch = watch_of(&told);
  const pulsecast_fit_options options = options_of(&told, &watch);
  pulsecast_model* model = NULL;
  WELL(pulsecast_fit(rows, settings, &options, &model, &error));
  REQUIRE(told.plans == 1 && told.steps > 0 && told.epochs == 2 && told.progress > 0);
  /* They are the model's now. */
  pulsecast_model* again = NULL;
  FAILS(PULSECAST_USAGE, "were taken", pulsecast_fit(rows, settings, NULL, &again, &error));
  REQUIRE(again == NULL && pulsecast_rows_channels(rows) == 0);
  pulsecast_rows_free(rows);
  pulsecast_settings_free(settings);
  return model;
}

/* What the program forecasts of the same file with the same model, to the last bit that it writes.
 */
static void require_as_program(const pulsecast_forecast* forecast, const char* model,
                               const char* file, const char* flags, int with_components) {
  pulsecast_error* error = NULL;
  char arguments[6000];
  snprintf(arguments, sizeof arguments, "forecast '%s' '%s' %s", model, file, flags);
  char* printed = printed_by(arguments);
  char* csv = NULL;
  WELL(pulsecast_forecast_csv(forecast, with_components, &csv, &error));
  REQUIRE(strlen(csv) > 100);
  if (strcmp(csv, printed) != 0) {
    fprintf(stderr, "%s\n%s\n%s\n", arguments, csv, printed);
    exit(1);
  }
  pulsecast_text_free(csv);
  free(printed);
}

/* The table, the series and the Arrow batch say the same. */
static void require_one_forecast(const pulsecast_forecast* forecast) {
  pulsecast_error* error = NULL;
  pulsecast_table table = {.size = sizeof table};
  WELL(pulsecast_forecast_table(forecast, &table, &error));
  REQUIRE(strcmp(table.names[0], "yhat") == 0);
  REQUIRE(strcmp(table.names[1], "yhat_lo_80") == 0 && strcmp(table.names[3], "q_0.1") == 0);
  REQUIRE(table.column_count == 8 && strcmp(table.zone, "UTC") == 0);
  size_t row = 0;
  for (size_t i = 0; i < pulsecast_forecast_series_count(forecast); ++i) {
    pulsecast_series series = {.size = sizeof series};
    WELL(pulsecast_forecast_series(forecast, 0, i, &series, &error));
    REQUIRE(series.count == kHorizon && strcmp(series.reason, "") == 0);
    for (size_t h = 0; h < series.count; ++h, ++row) {
      REQUIRE(strcmp(table.ids[table.series[row]], series.id) == 0);
      REQUIRE(table.stamps[row] == series.stamps[h] && table.cutoffs[row] == series.cutoff);
      REQUIRE(table.columns[0][row] == series.values[h]);
      REQUIRE(table.columns[1][row] <= table.columns[2][row]);
      REQUIRE(table.statuses[row] == (int32_t)series.status);
    }
  }
  REQUIRE(row == table.rows);
  struct ArrowArrayStream stream;
  FAILS(PULSECAST_USAGE, "means nothing",
        pulsecast_forecast_arrow_stream(forecast, 64, &stream, &error));
  REQUIRE(stream.release == NULL);
  WELL(pulsecast_forecast_arrow_stream(forecast, PULSECAST_ARROW_CUTOFF, &stream, &error));
  struct ArrowSchema schema;
  struct ArrowArray batch;
  struct ArrowArray end;
  REQUIRE(stream.get_schema(&stream, &schema) == 0 && stream.get_next(&stream, &batch) == 0);
  REQUIRE(stream.get_next(&stream, &end) == 0 && end.release == NULL);
  stream.release(&stream);
  REQUIRE(strcmp(schema.format, "+s") == 0 && schema.n_children == 8 && batch.n_children == 8);
  REQUIRE(strcmp(schema.children[0]->format, "i") == 0);
  REQUIRE(strcmp(schema.children[0]->dictionary->format, "u") == 0);
  REQUIRE(strcmp(schema.children[1]->format, "tsm:UTC") == 0);
  REQUIRE(strcmp(schema.children[2]->name, "cutoff") == 0);
  REQUIRE(strcmp(schema.children[7]->name, "status") == 0);
  REQUIRE((size_t)batch.length == table.rows);
  /* The same memory: nothing was copied. */
  REQUIRE(batch.children[1]->buffers[1] == table.stamps);
  REQUIRE(batch.children[3]->buffers[1] == table.columns[0]);
  schema.release(&schema);
  batch.release(&batch);
}

static pulsecast_forecast_options with_ranges(void) {
  static const double levels[] = {80};
  static const double quantiles[] = {0.1};
  return (pulsecast_forecast_options){.size = sizeof(pulsecast_forecast_options),
                                      .levels = levels,
                                      .level_count = 1,
                                      .quantiles = quantiles,
                                      .quantile_count = 1};
}

static void test_forecasts(const pulsecast_model* model, const char* path, const char* file) {
  pulsecast_error* error = NULL;
  pulsecast_rows* rows = rows_of_file(file, NULL, model);
  pulsecast_forecast_options options = with_ranges();
  pulsecast_forecast* forecast = NULL;
  WELL(pulsecast_model_forecast(model, rows, &options, &forecast, &error));
  require_as_program(forecast, path, file, "--level 80 --quantile 0.1 --components", 1);
  require_one_forecast(forecast);
  WELL(pulsecast_forecast_picture(forecast, rows, in_folder("next.svg"), &error));
  FAILS(PULSECAST_USAGE, ".svg or .png",
        pulsecast_forecast_picture(forecast, rows, in_folder("next.txt"), &error));

  /* What is exported outlives what it came from. */
  struct ArrowArrayStream stream;
  WELL(pulsecast_forecast_arrow_stream(forecast, 0, &stream, &error));
  pulsecast_forecast_free(forecast);
  struct ArrowArray batch;
  REQUIRE(stream.get_next(&stream, &batch) == 0);
  stream.release(&stream);
  REQUIRE(((const double*)batch.children[2]->buffers[1])[0] > -1e9);
  batch.release(&batch);

  /* Many origins at once are each of them alone. */
  const int64_t* stamps = NULL;
  size_t count = 0;
  WELL(pulsecast_rows_stamps(rows, &stamps, &count, &error));
  const int64_t origins[3] = {stamps[count - 50], stamps[count - 20], stamps[count - 1]};
  pulsecast_session* session = NULL;
  pulsecast_threads* threads = NULL;
  WELL(pulsecast_threads_new(2, &threads, &error));
  WELL(pulsecast_session_new(model, threads, &session, &error));
  pulsecast_threads_free(threads);
  WELL(pulsecast_session_forecast_from(session, rows, origins, 3, NULL, NULL, &forecast, &error));
  REQUIRE(pulsecast_forecast_origins(forecast) == 3);
  for (size_t i = 0; i < 3; ++i) {
    pulsecast_forecast_options at = {.size = sizeof at, .at = &origins[i]};
    pulsecast_forecast* alone = NULL;
    WELL(pulsecast_session_forecast(session, rows, &at, &alone, &error));
    pulsecast_series one = {.size = sizeof one};
    pulsecast_series other = {.size = sizeof other};
    WELL(pulsecast_forecast_series(forecast, i, 0, &one, &error));
    WELL(pulsecast_forecast_series(alone, 0, 0, &other, &error));
    REQUIRE(one.cutoff == origins[i] && one.cutoff == other.cutoff);
    REQUIRE(memcmp(one.values, other.values, one.count * sizeof(double)) == 0);
    pulsecast_forecast_free(alone);
  }
  char* csv = NULL;
  FAILS(PULSECAST_USAGE, "from 3 origins", pulsecast_forecast_csv(forecast, 0, &csv, &error));
  pulsecast_forecast_free(forecast);

  /* A row that is appended is the row that is forecast from. */
  const double next[2] = {1000.0, 1100.0};
  const int64_t step = stamps[1] - stamps[0];
  const int64_t last = stamps[count - 1];
  FAILS(PULSECAST_DATA, "the next row is", pulsecast_rows_append(rows, last, next, 2, &error));
  FAILS(PULSECAST_USAGE, "has 1 values", pulsecast_rows_append(rows, last + step, next, 1, &error));
  WELL(pulsecast_rows_append(rows, last + step, next, 2, &error));
  WELL(pulsecast_session_forecast(session, rows, NULL, &forecast, &error));
  pulsecast_series series = {.size = sizeof series};
  WELL(pulsecast_forecast_series(forecast, 0, 1, &series, &error));
  REQUIRE(series.cutoff == last + step && series.stamps[0] == last + 2 * step);
  pulsecast_forecast_free(forecast);
  pulsecast_session_free(session);
  pulsecast_rows_free(rows);
}

static void test_bounds(const pulsecast_model* model, const char* file) {
  pulsecast_error* error = NULL;
  pulsecast_rows* rows = rows_of_file(file, NULL, model);
  const double low = 1e6;
  const double high = 1.0;
  pulsecast_forecast_options options = {.size = sizeof options, .min = &low, .non_negative = 1};
  pulsecast_forecast* forecast = NULL;
  WELL(pulsecast_model_forecast(model, rows, &options, &forecast, &error));
  pulsecast_series series = {.size = sizeof series};
  WELL(pulsecast_forecast_series(forecast, 0, 0, &series, &error));
  REQUIRE(series.values[0] == low);
  FAILS(PULSECAST_USAGE, "no series of number 9",
        pulsecast_forecast_series(forecast, 0, 9, &series, &error));
  pulsecast_forecast_free(forecast);
  options.max = &high;
  FAILS(PULSECAST_USAGE, "above max",
        pulsecast_model_forecast(model, rows, &options, &forecast, &error));
  REQUIRE(forecast == NULL);
  pulsecast_rows_free(rows);
}

static void test_files(const pulsecast_model* model, const char* path) {
  pulsecast_error* error = NULL;
  WELL(pulsecast_model_save(model, path, &error));
  char* bytes = NULL;
  size_t size = 0;
  WELL(pulsecast_model_to_bytes(model, &bytes, &size, &error));
  pulsecast_model* loaded = NULL;
  pulsecast_model* again = NULL;
  WELL(pulsecast_model_load(path, &loaded, &error));
  WELL(pulsecast_model_from_bytes(bytes, size, &again, &error));
  char* more = NULL;
  size_t more_size = 0;
  WELL(pulsecast_model_to_bytes(again, &more, &more_size, &error));
  REQUIRE(size == more_size && memcmp(bytes, more, size) == 0);
  pulsecast_text_free(bytes);
  pulsecast_text_free(more);
  char* json = NULL;
  WELL(pulsecast_model_card(loaded, &json, &error));
  REQUIRE(strstr(json, "\"horizon\":12") != NULL && strstr(json, "\"name\":\"c1\"") != NULL);
  REQUIRE(strstr(json, "\"training.epochs\":\"2\"") != NULL);
  pulsecast_text_free(json);
  WELL(pulsecast_model_fitted(loaded, &json, &error));
  REQUIRE(strcmp(json, "null") == 0);
  pulsecast_text_free(json);
  WELL(pulsecast_model_fitted(model, &json, &error));
  REQUIRE(strstr(json, "\"decisions\":[") != NULL);
  pulsecast_text_free(json);
  WELL(pulsecast_model_inspect(loaded, &json, &error));
  REQUIRE(strstr(json, "\"weights\":") != NULL);
  pulsecast_text_free(json);
  pulsecast_settings* settings = NULL;
  WELL(pulsecast_settings_of_model(loaded, &settings, &error));
  pulsecast_settings_free(settings);
  pulsecast_model_free(loaded);
  pulsecast_model_free(again);
}

static void test_scores(const pulsecast_model* model, const char* file) {
  pulsecast_error* error = NULL;
  pulsecast_rows* rows = rows_of_file(file, NULL, model);
  char* json = NULL;
  WELL(pulsecast_evaluate(model, rows, "validation", NULL, NULL, &json, &error));
  REQUIRE(strstr(json, "\"part\":\"validation\"") != NULL &&
          strstr(json, "\"baselines\":[") != NULL);
  pulsecast_text_free(json);
  FAILS(PULSECAST_USAGE, "expected held-out",
        pulsecast_evaluate(model, rows, "best", NULL, NULL, &json, &error));
  const pulsecast_backtest_options options = {
      .size = sizeof options, .part = "all", .stride = 6, .origins = 5};
  WELL(pulsecast_backtest(rows, model, NULL, &options, &json, &error));
  REQUIRE(strstr(json, "\"origins\":5") != NULL && strstr(json, "\"stride\":6") != NULL);
  pulsecast_text_free(json);
  FAILS(PULSECAST_USAGE, "one of them is needed",
        pulsecast_backtest(rows, NULL, NULL, &options, &json, &error));
  pulsecast_inside* inside = NULL;
  WELL(pulsecast_look_inside(model, rows, NULL, 2, 0, NULL, NULL, &inside, &error));
  pulsecast_inside_view view = {.size = sizeof view};
  WELL(pulsecast_inside_read(inside, &view, &error));
  REQUIRE(view.windows == 2 && view.channels == 2 && view.rows == 4);
  REQUIRE(view.lookback == 24 && view.horizon == kHorizon && view.has_anchor == 1);
  REQUIRE(view.channel[1] == 1 && view.cutoff[0] < view.cutoff[2] && view.unit[0] > 0);
  REQUIRE(isfinite(view.forecast[view.rows * view.horizon - 1]));
  pulsecast_inside_free(inside);
  WELL(pulsecast_report(model, rows, "A page", NULL, NULL, NULL, in_folder("page.html"), &error));
  pulsecast_rows_free(rows);
}

static void test_cancelled(const char* file) {
  pulsecast_error* error = NULL;
  pulsecast_settings* settings = settings_of(kSmall);
  heard told = {.cancel_after = 6};
  const pulsecast_watch watch = watch_of(&told);
  pulsecast_fit_options options = options_of(&told, &watch);
  options.checkpoint = in_folder("run.checkpoint");
  pulsecast_rows* rows = rows_of_file(file, settings, NULL);
  pulsecast_rows* copy = NULL;
  WELL(pulsecast_rows_clone(rows, &copy, &error));
  pulsecast_model* model = NULL;
  FAILS(PULSECAST_INTERRUPTED, "", pulsecast_fit(rows, settings, &options, &model, &error));
  REQUIRE(model == NULL);
  pulsecast_rows_free(rows);
  /* It goes on where it was. */
  told = (heard){0};
  options.resume = 1;
  WELL(pulsecast_fit(copy, settings, &options, &model, &error));
  pulsecast_rows_free(copy);
  pulsecast_model_free(model);
  /* Asked to finish it gives what it has. */
  told = (heard){.finish_after = 1};
  options.resume = 0;
  options.on_epoch = hear_epoch;
  rows = rows_of_file(file, settings, NULL);
  WELL(pulsecast_fit(rows, settings, &options, &model, &error));
  char* json = NULL;
  WELL(pulsecast_model_fitted(model, &json, &error));
  REQUIRE(strstr(json, "\"was_ended\":true") != NULL);
  pulsecast_text_free(json);
  pulsecast_model* from = model;
  options = (pulsecast_fit_options){.size = sizeof options, .from = from};
  pulsecast_rows_free(rows);
  rows = rows_of_file(file, settings, NULL);
  WELL(pulsecast_fit(rows, settings, &options, &model, &error));
  WELL(pulsecast_model_fitted(model, &json, &error));
  REQUIRE(strstr(json, "\"is_warm\":") != NULL);
  pulsecast_text_free(json);
  pulsecast_model_free(from);
  pulsecast_model_free(model);
  /* Reading is cancelled too. */
  pulsecast_rows_free(rows);
  told = (heard){.cancel_after = 1};
  pulsecast_source* source = NULL;
  WELL(pulsecast_source_file(file, &source, &error));
  FAILS(PULSECAST_INTERRUPTED, "",
        pulsecast_rows_new(source, settings, NULL, NULL, &watch, &rows, &error));
  pulsecast_source_free(source);
  pulsecast_settings_free(settings);
}

/* Models of every version there was forecast in C what they forecast in the program. */
static void test_golden(void) {
  for (int version = 1; version <= 5; ++version) {
    pulsecast_error* error = NULL;
    char file[4096];
    char path[4096];
    snprintf(file, sizeof file, "%s/tests/golden/v%d.csv", PULSECAST_SOURCE_DIR, version);
    snprintf(path, sizeof path, "%s/tests/golden/v%d.model", PULSECAST_SOURCE_DIR, version);
    pulsecast_model* model = NULL;
    WELL(pulsecast_model_load(path, &model, &error));
    pulsecast_rows* rows = rows_of_file(file, NULL, model);
    pulsecast_forecast* forecast = NULL;
    WELL(pulsecast_model_forecast(model, rows, NULL, &forecast, &error));
    require_as_program(forecast, path, file, "--components", 1);
    pulsecast_forecast_free(forecast);
    pulsecast_rows_free(rows);
    pulsecast_model_free(model);
  }
}

void test_trip(void) {
  const char* file = in_folder("trip.csv");
  const char* path = in_folder("trip.model");
  char arguments[6000];
  snprintf(arguments, sizeof arguments, "data make '%s' --rows 400 --channels 2", file);
  free(printed_by(arguments));
  char own_file[4096];
  char own_path[4096];
  snprintf(own_file, sizeof own_file, "%s", file);
  snprintf(own_path, sizeof own_path, "%s", path);
  pulsecast_model* model = fitted_model(own_file);
  test_files(model, own_path);
  test_forecasts(model, own_path, own_file);
  test_bounds(model, own_file);
  test_scores(model, own_file);
  pulsecast_model_free(model);
  test_cancelled(own_file);
  test_golden();
}
