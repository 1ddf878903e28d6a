/* What holds of every call: NULL is an error, so is what is not known, and errors are data. */
#include "requires.h"

static void test_versions(void) {
  REQUIRE(pulsecast_abi() == PULSECAST_ABI);
  char* printed = printed_by("--version");
  REQUIRE(strstr(printed, pulsecast_version()) != NULL);
  free(printed);
}

static void test_null(void) {
  pulsecast_error* error = NULL;
  pulsecast_settings* settings = NULL;
  pulsecast_source* source = NULL;
  pulsecast_rows* rows = NULL;
  pulsecast_model* model = NULL;
  pulsecast_forecast* forecast = NULL;
  pulsecast_session* session = NULL;
  pulsecast_inside* inside = NULL;
  char* text = NULL;
  size_t count = 0;
  const int64_t* stamps = NULL;
  const double* values = NULL;
  struct ArrowArrayStream stream;
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_settings_new(NULL, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_settings_set(NULL, "horizon", "4", &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_settings_json(NULL, &text, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_settings_of_model(NULL, &settings, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_settings_for_reading(NULL, &settings, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_settings_catalogue(NULL, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_threads_new(1, NULL, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_source_file(NULL, &source, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_source_bytes(NULL, 3, NULL, &source, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_source_columns("rows", NULL, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_source_add_doubles(NULL, "y", NULL, 0, 1, &error));
  FAILS(PULSECAST_USAGE, "is NULL",
        pulsecast_check(NULL, NULL, NULL, NULL, PULSECAST_WORDS_PLAIN, &text, &error));
  FAILS(PULSECAST_USAGE, "is NULL",
        pulsecast_rows_new(NULL, NULL, NULL, NULL, NULL, &rows, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_rows_clone(NULL, &rows, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_rows_json(NULL, &text, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_rows_stamps(NULL, &stamps, &count, &error));
  FAILS(PULSECAST_USAGE, "is NULL",
        pulsecast_rows_values(NULL, 0, &values, &count, &count, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_rows_append(NULL, 0, NULL, 0, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_fit(NULL, NULL, NULL, &model, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_model_load(NULL, &model, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_model_save(NULL, "x", &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_model_to_bytes(NULL, &text, &count, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_model_card(NULL, &text, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_model_inspect(NULL, &text, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_model_fitted(NULL, &text, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_model_forecast(NULL, NULL, NULL, &forecast, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_session_new(NULL, NULL, &session, &error));
  FAILS(PULSECAST_USAGE, "is NULL",
        pulsecast_session_forecast(NULL, NULL, NULL, &forecast, &error));
  FAILS(PULSECAST_USAGE, "is NULL",
        pulsecast_session_forecast_from(NULL, NULL, NULL, 1, NULL, NULL, &forecast, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_forecast_series(NULL, 0, 0, NULL, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_forecast_table(NULL, NULL, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_forecast_arrow_stream(NULL, 0, &stream, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_forecast_csv(NULL, 0, &text, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_forecast_picture(NULL, NULL, "a.svg", &error));
  FAILS(PULSECAST_USAGE, "is NULL",
        pulsecast_evaluate(NULL, NULL, NULL, NULL, NULL, &text, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_backtest(NULL, NULL, NULL, NULL, &text, &error));
  FAILS(PULSECAST_USAGE, "is NULL",
        pulsecast_look_inside(NULL, NULL, NULL, 1, 0, NULL, NULL, &inside, &error));
  FAILS(PULSECAST_USAGE, "is NULL", pulsecast_inside_read(NULL, NULL, &error));
  FAILS(PULSECAST_USAGE, "is NULL",
        pulsecast_report(NULL, NULL, NULL, NULL, NULL, NULL, "a.html", &error));
  /* An error that nobody wants is not made. */
  REQUIRE(pulsecast_settings_new(NULL, NULL) == PULSECAST_USAGE);
  REQUIRE(pulsecast_rows_channels(NULL) == 0 && pulsecast_forecast_origins(NULL) == 0);
  REQUIRE(pulsecast_forecast_series_count(NULL) == 0 && pulsecast_threads_count(NULL) == 1);
  pulsecast_settings_free(NULL);
  pulsecast_source_free(NULL);
  pulsecast_rows_free(NULL);
  pulsecast_model_free(NULL);
  pulsecast_session_free(NULL);
  pulsecast_forecast_free(NULL);
  pulsecast_inside_free(NULL);
  pulsecast_threads_free(NULL);
  pulsecast_error_free(NULL);
  pulsecast_text_free(NULL);
  REQUIRE(strcmp(pulsecast_error_json(NULL, PULSECAST_WORDS_PLAIN), "{}") == 0);
  REQUIRE(strcmp(pulsecast_error_text(NULL), "no error") == 0);
}

static void test_settings(void) {
  pulsecast_error* error = NULL;
  pulsecast_settings* settings = NULL;
  WELL(pulsecast_settings_new(&settings, &error));
  FAILS(PULSECAST_USAGE, "lookback", pulsecast_settings_set(settings, "lookbak", "4", &error));
  FAILS(PULSECAST_USAGE, "epochs", pulsecast_settings_set(settings, "epochs", "many", &error));
  WELL(pulsecast_settings_set(settings, "data.horizon", "48h", &error));
  WELL(pulsecast_settings_set(settings, "known", "price, promo", &error));
  const char* const past[] = {"a,b", "c"};
  WELL(pulsecast_settings_set_list(settings, "past", past, 2, &error));
  char* json = NULL;
  WELL(pulsecast_settings_json(settings, &json, &error));
  REQUIRE(strstr(json, "\"data.horizon\":\"48h\"") != NULL);
  REQUIRE(strstr(json, "\"data.known\":[\"price\",\"promo\"]") != NULL);
  REQUIRE(strstr(json, "\"data.past\":[\"a,b\",\"c\"]") != NULL);
  pulsecast_text_free(json);
  WELL(pulsecast_settings_catalogue(&json, &error));
  REQUIRE(strstr(json, "\"name\":\"learning-rate\"") != NULL);
  REQUIRE(strstr(json, "\"name\":\"linear\"") != NULL);
  pulsecast_text_free(json);
  pulsecast_settings_free(settings);
}

static void test_errors_are_data(void) {
  pulsecast_error* error = NULL;
  const char* text = "date,load\n2024-01-01,1\n2024-01-02,2\n2024-01-02,3\n2024-01-03,4\n";
  pulsecast_source* source = NULL;
  pulsecast_rows* rows = NULL;
  WELL(pulsecast_source_bytes(text, strlen(text), "load.csv", &source, &error));
  REQUIRE(pulsecast_rows_new(source, NULL, NULL, NULL, NULL, &rows, &error) == PULSECAST_DATA);
  REQUIRE(rows == NULL);
  const char* json = pulsecast_error_json(error, PULSECAST_WORDS_PYTHON);
  REQUIRE(strstr(json, "\"kind\":\"data\"") != NULL);
  REQUIRE(strstr(json, "\"line\":4") != NULL);
  REQUIRE(strstr(json, "{\"name\":\"duplicates\",\"value\":\"first\"}") != NULL);
  REQUIRE(strstr(json, "duplicates=\\\"first\\\" keeps") != NULL);
  json = pulsecast_error_json(error, PULSECAST_WORDS_COMMAND_LINE);
  REQUIRE(strstr(json, "--duplicates first") != NULL);
  REQUIRE(strstr(pulsecast_error_text(error), "duplicates = first") != NULL);
  pulsecast_error_free(error);
  error = NULL;
  FAILS(PULSECAST_USAGE, "no words of number 9",
        pulsecast_check(source, NULL, NULL, NULL, 9, (char**)&text, &error));
  pulsecast_source_free(source);
  WELL(pulsecast_source_file(in_folder("nowhere.csv"), &source, &error));
  FAILS(PULSECAST_INPUT_OUTPUT, "nowhere.csv",
        pulsecast_rows_new(source, NULL, NULL, NULL, NULL, &rows, &error));
  const double value = 1.0;
  FAILS(PULSECAST_USAGE, "takes no columns",
        pulsecast_source_add_doubles(source, "y", &value, 1, 1, &error));
  pulsecast_source_free(source);
  pulsecast_model* model = NULL;
  FAILS(PULSECAST_INPUT_OUTPUT, "",
        pulsecast_model_load(in_folder("nowhere.model"), &model, &error));
  FAILS(PULSECAST_MODEL_FILE, "", pulsecast_model_from_bytes("hello, world", 12, &model, &error));
}

static void test_columns_of_pointers(void) {
  pulsecast_error* error = NULL;
  pulsecast_source* source = NULL;
  const double values[2] = {1.0, 2.0};
  const int32_t codes[2] = {0, 7};
  const char* const labels[1] = {"a"};
  WELL(pulsecast_source_columns(NULL, &source, &error));
  FAILS(PULSECAST_USAGE, "stride", pulsecast_source_add_doubles(source, "y", values, 2, 0, &error));
  FAILS(PULSECAST_USAGE, "stride",
        pulsecast_source_add_doubles(source, "y", values, SIZE_MAX, SIZE_MAX, &error));
  FAILS(PULSECAST_DATA, "number 7, and there are 1",
        pulsecast_source_add_labels(source, "unique_id", codes, 2, labels, 1, &error));
  const int64_t stamps[2] = {0, 3600000};
  FAILS(PULSECAST_USAGE, "Nowhere/City",
        pulsecast_source_add_stamps(source, "ds", stamps, 2, "Nowhere/City", &error));
  pulsecast_source_free(source);
}

static void test_sizes(void) {
  pulsecast_error* error = NULL;
  pulsecast_source* source = NULL;
  pulsecast_rows* rows = NULL;
  const pulsecast_watch unset = {0};
  WELL(pulsecast_source_bytes("date,a\n2024-01-01,1\n2024-01-02,2\n2024-01-03,4\n", 46, NULL,
                              &source, &error));
  FAILS(PULSECAST_USAGE, "sizeof",
        pulsecast_rows_new(source, NULL, NULL, NULL, &unset, &rows, &error));
  pulsecast_rows_free(rows_from(source, NULL, NULL));
}

void test_calls(void) {
  test_versions();
  test_null();
  test_settings();
  test_errors_are_data();
  test_columns_of_pointers();
  test_sizes();
}
