/* A frame is what a file with the same rows is, whatever its types and however it is cut. */
#include <stdint.h>

#include "arrow_make.h"
#include "requires.h"

enum { kSeries = 3, kSteps = 80, kRows = kSeries * kSteps };

/* 2024-01-01, of every hour. */
static const int64_t kStart = 1704067200;

/* Long rows, series after series, in every form that they come in. */
static struct {
  int32_t id_ends[kRows + 1];
  int64_t large_ends[kRows + 1];
  char ids[kRows * 16];
  unsigned char views[kRows * 16];
  char view_bytes[kRows * 16];
  int64_t view_sizes[1];
  int8_t codes[kRows];
  uint64_t wide_codes[kRows];
  int64_t numbers[kRows];
  int64_t seconds[kRows];
  int64_t milliseconds[kRows];
  int64_t microseconds[kRows];
  int64_t nanoseconds[kRows];
  int32_t text_ends[kRows + 1];
  char texts[kRows * 20];
  double y[kRows];
  float y_float[kRows];
  int32_t y_int[kRows];
  uint16_t y_short[kRows];
  double price[kRows];
  unsigned char valid[kRows / 8];
  unsigned char promo[kRows / 8];
} data;

static const char* const kNames[kSeries] = {"north of the river", "east", "west"};
static const int32_t kNameEnds[kSeries + 1] = {0, 18, 22, 26};
static const char kNameBytes[] = "north of the rivereastwest";
static const int64_t kNameNumbers[kSeries] = {9007199254740993, 2, 3};

static const char* stamp_text(int step) {
  static char text[32];
  snprintf(text, sizeof text, "2024-01-%02d %02d:00:00", 1 + step / 24, step % 24);
  return text;
}

static int is_missing(int row) { return row % 17 == 5; }

static void fill_data(void) {
  int32_t ids = 0;
  int32_t texts = 0;
  for (int row = 0; row < kRows; ++row) {
    const int series = row / kSteps;
    const int step = row % kSteps;
    const char* name = kNames[series];
    const int32_t size = (int32_t)strlen(name);
    if (ids + size <= (int32_t)sizeof data.ids) memcpy(data.ids + ids, name, (size_t)size);
    /* A view of a long text has four bytes of it, the buffer's number and its place. */
    unsigned char* view = data.views + 16 * row;
    memcpy(view, &size, 4);
    if (size <= 12) {
      memcpy(view + 4, name, (size_t)size);
    } else {
      memcpy(view + 4, name, 4);
      memcpy(view + 12, &ids, 4);
      memcpy(data.view_bytes + ids, name, (size_t)size);
    }
    ids += size;
    data.id_ends[row + 1] = ids;
    data.large_ends[row + 1] = ids;
    data.codes[row] = (int8_t)series;
    data.wide_codes[row] = (uint64_t)series;
    data.numbers[row] = kNameNumbers[series];
    data.seconds[row] = kStart + 3600 * step;
    data.milliseconds[row] = 1000 * data.seconds[row];
    data.microseconds[row] = 1000 * data.milliseconds[row];
    data.nanoseconds[row] = 1000 * data.microseconds[row];
    const char* text = stamp_text(step);
    memcpy(data.texts + texts, text, 19);
    texts += 19;
    data.text_ends[row + 1] = texts;
    const int value = 100 * (series + 1) + (step * 7) % 24;
    data.y[row] = value;
    data.y_float[row] = (float)value;
    data.y_int[row] = value;
    data.y_short[row] = (uint16_t)value;
    data.price[row] = 0.25 * ((step * 5) % 11);
    if (!is_missing(row)) data.valid[row / 8] |= (unsigned char)(1 << row % 8);
    if (step % 3 == 0) data.promo[row / 8] |= (unsigned char)(1 << row % 8);
  }
  data.view_sizes[0] = (int64_t)sizeof data.view_bytes;
}

/* The same as a file. `by_number`: ids are numbers. */
static void write_csv(const char* path, int has_missing, int by_number) {
  static char text[kRows * 96];
  size_t size = (size_t)snprintf(text, sizeof text, "unique_id,ds,y,price,promo\n");
  for (int row = 0; row < kRows; ++row) {
    char id[32];
    snprintf(id, sizeof id, "%lld", (long long)data.numbers[row]);
    char y[32] = "";
    if (!has_missing || !is_missing(row)) snprintf(y, sizeof y, "%g", data.y[row]);
    size += (size_t)snprintf(text + size, sizeof text - size, "%s,%s,%s,%g,%d\n",
                             by_number ? id : kNames[row / kSteps], stamp_text(row % kSteps), y,
                             data.price[row], row % kSteps % 3 == 0);
  }
  write_text(path, text);
}

#define FIXED(title, type, memory)                                                              \
  {                                                                                             \
    .name = title, .format = type, .length = kRows, .n_buffers = 2, .buffers = { NULL, memory } \
  }
#define TEXT(title, type, ends, bytes)                                           \
  {                                                                              \
    .name = title, .format = type, .length = kRows, .n_buffers = 3, .buffers = { \
      NULL,                                                                      \
      ends,                                                                      \
      bytes                                                                      \
    }                                                                            \
  }

static const test_column kDictionary = {
    .format = "u", .length = kSeries, .n_buffers = 3, .buffers = {NULL, kNameEnds, kNameBytes}};
static const test_column kNumberDictionary = {
    .format = "l", .length = kSeries, .n_buffers = 2, .buffers = {NULL, kNameNumbers}};

static const char* const kLong[] = {"known", "price,promo", "fill", "none", NULL};

static void require_as_file(const char* file, const test_column* columns, int64_t count,
                            int64_t parts, const char* what) {
  pulsecast_error* error = NULL;
  pulsecast_settings* settings = settings_of(kLong);
  struct ArrowArrayStream stream;
  make_stream(columns, count, kRows, parts, &stream);
  pulsecast_source* source = NULL;
  WELL(pulsecast_source_arrow_stream(&stream, "frame", &source, &error));
  REQUIRE(stream.release == NULL);
  pulsecast_rows* rows = rows_from(source, settings, NULL);
  pulsecast_rows* expected = rows_of_file(file, settings, NULL);
  require_same_rows(rows, expected, what);
  pulsecast_rows_free(rows);
  pulsecast_rows_free(expected);
  pulsecast_settings_free(settings);
  REQUIRE(unreleased == 0);
}

static void test_types(void) {
  const char* plain = in_folder("plain.csv");
  const char* numbered = in_folder("numbered.csv");
  write_csv(plain, 0, 0);
  write_csv(numbered, 0, 1);
  const test_column names[] = {
      TEXT("unique_id", "u", data.id_ends, data.ids),
      TEXT("unique_id", "U", data.large_ends, data.ids),
      {.name = "unique_id",
       .format = "vu",
       .length = kRows,
       .n_buffers = 4,
       .buffers = {NULL, data.views, data.view_bytes, data.view_sizes}},
      {.name = "unique_id",
       .format = "c",
       .length = kRows,
       .n_buffers = 2,
       .buffers = {NULL, data.codes},
       .dictionary = &kDictionary},
      {.name = "unique_id",
       .format = "L",
       .length = kRows,
       .n_buffers = 2,
       .buffers = {NULL, data.wide_codes},
       .dictionary = &kDictionary},
  };
  const test_column numbers[] = {
      FIXED("unique_id", "l", data.numbers),
      {.name = "unique_id",
       .format = "c",
       .length = kRows,
       .n_buffers = 2,
       .buffers = {NULL, data.codes},
       .dictionary = &kNumberDictionary},
  };
  const test_column stamps[] = {
      FIXED("ds", "tss:", data.seconds),
      FIXED("ds", "tsm:", data.milliseconds),
      FIXED("ds", "tsu:", data.microseconds),
      FIXED("ds", "tsn:", data.nanoseconds),
      FIXED("ds", "tsu:UTC", data.microseconds),
      FIXED("ds", "tdm", data.milliseconds),
      FIXED("ds", "l", data.seconds),
      FIXED("ds", "l", data.milliseconds),
      TEXT("ds", "u", data.text_ends, data.texts),
  };
  const test_column values[] = {
      FIXED("y", "g", data.y),
      FIXED("y", "f", data.y_float),
      FIXED("y", "i", data.y_int),
      FIXED("y", "S", data.y_short),
  };
  const test_column price = FIXED("price", "g", data.price);
  const test_column promo = FIXED("promo", "b", data.promo);
  char what[128];
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const test_column columns[] = {names[i], stamps[i], values[i % 4], price, promo};
    snprintf(what, sizeof what, "ids as %s, number %zu", names[i].format, i);
    require_as_file(plain, columns, 5, 1 + (int64_t)i, what);
  }
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    const test_column columns[] = {numbers[i], stamps[i], values[i], price, promo};
    require_as_file(numbered, columns, 5, 3, "ids as numbers");
  }
  for (size_t i = 0; i < sizeof stamps / sizeof *stamps; ++i) {
    const test_column columns[] = {names[0], stamps[i], values[i % 4], price, promo};
    snprintf(what, sizeof what, "stamps as %s", stamps[i].format);
    require_as_file(plain, columns, 5, 2, what);
  }
}

static void test_nulls_and_slices(void) {
  const char* file = in_folder("nulls.csv");
  write_csv(file, 1, 0);
  test_column columns[] = {TEXT("unique_id", "u", data.id_ends, data.ids),
                           FIXED("ds", "tsu:", data.microseconds), FIXED("y", "g", data.y),
                           FIXED("price", "g", data.price), FIXED("promo", "b", data.promo)};
  columns[2].buffers[0] = data.valid;
  columns[2].null_count = -1;
  require_as_file(file, columns, 5, 7, "nulls");
  /* Children that begin before their batch: the second series alone, twice sliced. */
  pulsecast_error* error = NULL;
  pulsecast_settings* settings = settings_of(kLong);
  for (int i = 0; i < 5; ++i) {
    columns[i].offset = kSteps / 2;
    columns[i].length = kRows - kSteps / 2;
  }
  struct ArrowSchema schema;
  struct ArrowArray array;
  make_batch(columns, 5, kSteps, kSteps / 2, &schema, &array);
  pulsecast_source* source = NULL;
  WELL(pulsecast_source_arrow(&schema, &array, NULL, &source, &error));
  REQUIRE(schema.release == NULL && array.release == NULL);
  pulsecast_rows* rows = rows_from(source, settings, NULL);
  REQUIRE(unreleased == 0);
  const double* values = NULL;
  size_t count = 0;
  size_t first = 0;
  WELL(pulsecast_rows_values(rows, 0, &values, &count, &first, &error));
  REQUIRE(count == kSteps && first == 0);
  for (int step = 0; step < kSteps; ++step) {
    const int row = kSteps + step;
    REQUIRE(is_missing(row) ? values[step] != values[step] : values[step] == data.y[row]);
  }
  pulsecast_rows_free(rows);
  pulsecast_settings_free(settings);
}

/* What a wall clock showed is placed by `time-zone`; instants bring their zone. */
static void test_zones(void) {
  const char* file = in_folder("zone.csv");
  write_csv(file, 0, 0);
  pulsecast_error* error = NULL;
  const char* const berlin[] = {"known", "price,promo", "time-zone", "Europe/Berlin", NULL};
  pulsecast_settings* in_berlin = settings_of(berlin);
  pulsecast_settings* told = settings_of(kLong);
  test_column columns[] = {TEXT("unique_id", "u", data.id_ends, data.ids),
                           FIXED("ds", "tsn:", data.nanoseconds), FIXED("y", "g", data.y),
                           FIXED("price", "g", data.price), FIXED("promo", "b", data.promo)};
  pulsecast_rows* expected = rows_of_file(file, in_berlin, NULL);
  struct ArrowArrayStream stream;
  pulsecast_source* source = NULL;
  make_stream(columns, 5, kRows, 2, &stream);
  WELL(pulsecast_source_arrow_stream(&stream, NULL, &source, &error));
  pulsecast_rows* naive = rows_from(source, in_berlin, NULL);
  require_same_rows(naive, expected, "a wall clock in Berlin");
  /* The same instants: an hour before what the clock shows. */
  static int64_t instants[kRows];
  for (int row = 0; row < kRows; ++row) instants[row] = data.seconds[row] - 3600;
  columns[1] = (test_column)FIXED("ds", "tss:Europe/Berlin", instants);
  make_stream(columns, 5, kRows, 2, &stream);
  WELL(pulsecast_source_arrow_stream(&stream, NULL, &source, &error));
  pulsecast_rows* zoned = rows_from(source, told, NULL);
  require_same_rows(zoned, expected, "instants of Berlin");
  pulsecast_rows_free(naive);
  pulsecast_rows_free(zoned);
  pulsecast_rows_free(expected);
  pulsecast_settings_free(in_berlin);
  pulsecast_settings_free(told);
  REQUIRE(unreleased == 0);
}

static void test_plain_pointers(void) {
  const char* file = in_folder("pointers.csv");
  write_csv(file, 0, 0);
  pulsecast_error* error = NULL;
  pulsecast_settings* settings = settings_of(kLong);
  pulsecast_source* source = NULL;
  static int32_t codes[kRows];
  static double pairs[2 * kRows];
  for (int row = 0; row < kRows; ++row) {
    codes[row] = data.codes[row];
    pairs[2 * row] = data.y[row];
    pairs[2 * row + 1] = data.price[row];
  }
  static float promo[kRows];
  for (int row = 0; row < kRows; ++row) promo[row] = row % kSteps % 3 == 0 ? 1.0f : 0.0f;
  WELL(pulsecast_source_columns("pointers", &source, &error));
  WELL(pulsecast_source_add_labels(source, "unique_id", codes, kRows, kNames, kSeries, &error));
  WELL(pulsecast_source_add_stamps(source, "ds", data.milliseconds, kRows, NULL, &error));
  WELL(pulsecast_source_add_doubles(source, "y", pairs, kRows, 2, &error));
  WELL(pulsecast_source_add_doubles(source, "price", pairs + 1, kRows, 2, &error));
  WELL(pulsecast_source_add_floats(source, "promo", promo, kRows, 1, &error));
  pulsecast_rows* rows = rows_from(source, settings, NULL);
  pulsecast_rows* expected = rows_of_file(file, settings, NULL);
  require_same_rows(rows, expected, "plain pointers");
  pulsecast_rows_free(rows);
  pulsecast_rows_free(expected);
  pulsecast_settings_free(settings);
}

/* The doctor says of a frame what it says of a file: gaps, and what would mend them. */
static void test_check(void) {
  pulsecast_error* error = NULL;
  test_column columns[] = {TEXT("unique_id", "u", data.id_ends, data.ids),
                           FIXED("ds", "tsu:", data.microseconds), FIXED("y", "g", data.y)};
  columns[2].buffers[0] = data.valid;
  columns[2].null_count = -1;
  struct ArrowArrayStream stream;
  make_stream(columns, 3, kRows, 2, &stream);
  pulsecast_source* source = NULL;
  WELL(pulsecast_source_arrow_stream(&stream, "frame", &source, &error));
  char* json = NULL;
  WELL(pulsecast_check(source, NULL, NULL, NULL, PULSECAST_WORDS_PYTHON, &json, &error));
  REQUIRE(strstr(json, "\"file\":\"frame\"") != NULL);
  REQUIRE(strstr(json, "\"series\":3") != NULL);
  REQUIRE(strstr(json, "\"kind\":\"empty-cells\"") != NULL);
  REQUIRE(strstr(json, "fill=\\\"linear\\\"") != NULL);
  REQUIRE(strstr(json, "\"ready\":false") != NULL);
  pulsecast_text_free(json);
  pulsecast_source_free(source);
  REQUIRE(unreleased == 0);
}

void test_arrow_in(void) {
  fill_data();
  test_types();
  test_nulls_and_slices();
  test_zones();
  test_plain_pointers();
  test_check();
}
