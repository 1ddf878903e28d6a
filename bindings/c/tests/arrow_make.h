/* Arrow data of a test's own memory, which counts what was not released. */
#ifndef PULSECAST_C_TESTS_ARROW_MAKE_H
#define PULSECAST_C_TESTS_ARROW_MAKE_H

#include <pulsecast/c/pulsecast.h>

#define MOST_BUFFERS 6

typedef struct test_column {
  const char* name;
  const char* format;
  int64_t length;
  int64_t offset;
  int64_t null_count;
  int64_t n_buffers;
  const void* buffers[MOST_BUFFERS];
  const struct test_column* dictionary;
} test_column;

/* Schemas, arrays and streams that were made and not released. */
extern int unreleased;

/* `length` rows from `offset` on. */
void make_batch(const test_column* columns, int64_t count, int64_t length, int64_t offset,
                struct ArrowSchema* schema, struct ArrowArray* array);
/* The rows cut into `parts` batches, each a slice of the columns. */
void make_stream(const test_column* columns, int64_t count, int64_t length, int64_t parts,
                 struct ArrowArrayStream* stream);

#endif
