/* Data that is not what it says, or that no table can hold: an error each, and all of it released.
 */
#include "arrow_make.h"
#include "requires.h"

enum { kRows = 64 };

static int64_t seconds[kRows];
static double values[kRows];
static int32_t ends[kRows + 1];
static int32_t bad_codes[kRows];
static unsigned char views[16 * kRows];
static const int64_t view_sizes[1] = {4};
static const char bytes[] = "abcd";

#define FIXED(title, type, memory)                                                              \
  {                                                                                             \
    .name = title, .format = type, .length = kRows, .n_buffers = 2, .buffers = { NULL, memory } \
  }

static const char* const kNoSettings[] = {NULL};

/* Rows of a batch of two columns: where it fails, wherever that is. */
static void refuse_with(const test_column* columns, int64_t count, int64_t length, int64_t offset,
                        const char* const* settings_text, pulsecast_status status,
                        const char* part) {
  pulsecast_error* error = NULL;
  pulsecast_settings* settings = settings_of(settings_text);
  struct ArrowSchema schema;
  struct ArrowArray array;
  make_batch(columns, count, length, offset, &schema, &array);
  pulsecast_source* source = NULL;
  pulsecast_rows* rows = NULL;
  pulsecast_status got = pulsecast_source_arrow(&schema, &array, "frame", &source, &error);
  REQUIRE(schema.release == NULL && array.release == NULL);
  if (got == PULSECAST_OK) {
    got = pulsecast_rows_new(source, settings, NULL, NULL, NULL, &rows, &error);
  }
  REQUIRE(rows == NULL);
  FAILS(status, part, got);
  pulsecast_source_free(source);
  pulsecast_settings_free(settings);
  REQUIRE(unreleased == 0);
}

static void refuse(test_column column, const char* part) {
  const test_column columns[] = {FIXED("ds", "tss:", seconds), column};
  refuse_with(columns, 2, kRows, 0, kNoSettings, PULSECAST_DATA, part);
}

static void test_columns(void) {
  test_column y = FIXED("y", "g", values);
  test_column bad = y;
  bad.n_buffers = 1;
  refuse(bad, "float64 has 2 buffers, and there are 1");
  bad = y;
  bad.n_buffers = -1;
  refuse(bad, "buffers");
  bad = y;
  bad.buffers[1] = NULL;
  refuse(bad, "buffer 1 is NULL");
  bad = y;
  bad.length = -5;
  refuse(bad, "its length is -5");
  bad = y;
  bad.offset = -1;
  refuse(bad, "its offset -1");
  bad = y;
  bad.length = INT64_MAX;
  refuse(bad, "the most rows are");
  bad = y;
  bad.offset = INT64_MAX - 3;
  refuse(bad, "frame, column 'y'");
  bad = y;
  bad.length = kRows - 1;
  refuse(bad, "it has 63 values for 64 rows");
  const char* const strange[] = {"+l",      "w:16", "d:19,10", "z",   "tDm",      "tiM", "+w:3",
                                 "+ud:0,1", "+r",   "tsx:",    "tsm", "\x01\x02", "",    "gg"};
  for (size_t i = 0; i < sizeof strange / sizeof *strange; ++i) {
    bad = y;
    bad.format = strange[i];
    refuse(bad, "column 'y' is of type");
  }
  bad = y;
  bad.format = NULL;
  refuse(bad, "a child has no format");
}

static void test_texts(void) {
  test_column id = {.name = "unique_id",
                    .format = "u",
                    .length = kRows,
                    .n_buffers = 3,
                    .buffers = {NULL, ends, bytes}};
  for (int i = 0; i <= kRows; ++i) ends[i] = 1;
  ends[3] = -7;
  refuse(id, "lies outside its buffer");
  ends[3] = 0;
  refuse(id, "lies outside its buffer");
  test_column view = {.name = "unique_id",
                      .format = "vu",
                      .length = kRows,
                      .n_buffers = 4,
                      .buffers = {NULL, views, bytes, view_sizes}};
  const int32_t faults[][4] = {
      {-1, 0, 0, 0}, {20, 0, 1, 0}, {20, 0, -1, 0}, {20, 0, 0, 0}, {20, 0, 0, -4}};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
    memcpy(views, faults[i], 16);
    refuse(view, "lies outside its buffer");
  }
  view.n_buffers = 2;
  refuse(view, "at least 3 buffers");
  const test_column dictionary = {
      .format = "u", .length = 1, .n_buffers = 3, .buffers = {NULL, ends, bytes}};
  test_column code = FIXED("unique_id", "i", bad_codes);
  code.dictionary = &dictionary;
  bad_codes[0] = 1;
  refuse(code, "the dictionary's value of number 1, and there are 1");
  bad_codes[0] = -1;
  refuse(code, "the dictionary's value of number -1");
  test_column broken = dictionary;
  broken.n_buffers = 0;
  code.dictionary = &broken;
  refuse(code, "utf8 has 3 buffers, and there are 0");
  broken = dictionary;
  broken.format = "+l";
  code.dictionary = &broken;
  code.name = "y";
  refuse(code, "column 'y' is of type dictionary<int32, list>");
}

static void test_batches(void) {
  const test_column columns[] = {FIXED("ds", "tss:", seconds), FIXED("y", "g", values),
                                 FIXED("y", "g", values)};
  refuse_with(columns, 3, kRows, 0, kNoSettings, PULSECAST_USAGE, "two columns are called 'y'");
  refuse_with(columns, 0, kRows, 0, kNoSettings, PULSECAST_DATA, "there is no column");
  refuse_with(columns, 2, 0, 0, kNoSettings, PULSECAST_DATA, "there are no rows");
  refuse_with(columns, 2, kRows, 1, kNoSettings, PULSECAST_DATA, "64 values for 64 rows from 1 on");
  refuse_with(columns, 2, -1, 0, kNoSettings, PULSECAST_DATA, "its length is -1");
  const char* const misspelt[] = {"target", "yy", NULL};
  refuse_with(columns, 2, kRows, 0, misspelt, PULSECAST_USAGE, "there is no column 'yy'");
  const char* const stamps_as_values[] = {"time-column", "ds", "target", "when", NULL};
  const test_column twice[] = {FIXED("ds", "tss:", seconds), FIXED("when", "tss:", seconds)};
  refuse_with(twice, 2, kRows, 0, stamps_as_values, PULSECAST_DATA,
              "column 'when' is of type timestamp[s], where numbers are expected");
  const test_column elsewhere[] = {FIXED("ds", "tss:Mars/Olympus", seconds),
                                   FIXED("y", "g", values)};
  refuse_with(elsewhere, 2, kRows, 0, kNoSettings, PULSECAST_USAGE, "Mars/Olympus");
}

static void test_released(void) {
  pulsecast_error* error = NULL;
  pulsecast_source* source = NULL;
  struct ArrowSchema schema;
  struct ArrowArray array;
  const test_column y = FIXED("y", "g", values);
  make_batch(&y, 1, kRows, 0, &schema, &array);
  array.release(&array);
  FAILS(PULSECAST_USAGE, "released already",
        pulsecast_source_arrow(&schema, &array, NULL, &source, &error));
  REQUIRE(unreleased == 0);
  FAILS(PULSECAST_USAGE, "released already",
        pulsecast_source_arrow(NULL, NULL, NULL, &source, &error));
  FAILS(PULSECAST_USAGE, "stream", pulsecast_source_arrow_stream(NULL, NULL, &source, &error));
  make_batch(&y, 1, kRows, 0, &schema, &array);
  array.n_children = 0;
  FAILS(PULSECAST_DATA, "has 1 columns, and a batch 0",
        pulsecast_source_arrow(&schema, &array, NULL, &source, &error));
  make_batch(&y, 1, kRows, 0, &schema, &array);
  schema.format = "g";
  FAILS(PULSECAST_DATA, "expected a record batch",
        pulsecast_source_arrow(&schema, &array, NULL, &source, &error));
  REQUIRE(unreleased == 0 && source == NULL);
}

static int fail_next(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  (void)stream;
  (void)out;
  return 5;
}

static const char* say_why(struct ArrowArrayStream* stream) {
  (void)stream;
  return "the disk is gone";
}

static void test_failing_stream(void) {
  pulsecast_error* error = NULL;
  pulsecast_source* source = NULL;
  const test_column y = FIXED("y", "g", values);
  struct ArrowArrayStream stream;
  make_stream(&y, 1, kRows, 1, &stream);
  stream.get_next = fail_next;
  stream.get_last_error = say_why;
  FAILS(PULSECAST_INPUT_OUTPUT, "the disk is gone",
        pulsecast_source_arrow_stream(&stream, "frame", &source, &error));
  REQUIRE(unreleased == 0);
}

void test_hostile_arrow(void) {
  for (int i = 0; i < kRows; ++i) {
    seconds[i] = 1704067200 + 3600 * (int64_t)i;
    values[i] = i % 7;
  }
  test_columns();
  test_texts();
  test_batches();
  test_released();
  test_failing_stream();
}
