#include "arrow_make.h"

#include "requires.h"

int unreleased = 0;

static void* zeroed(size_t size) {
  void* memory = calloc(1, size);
  REQUIRE(memory != NULL);
  return memory;
}

static void release_schema(struct ArrowSchema* schema) {
  for (int64_t i = 0; i < schema->n_children; ++i) {
    if (schema->children[i]->release != NULL) schema->children[i]->release(schema->children[i]);
    free(schema->children[i]);
  }
  free(schema->children);
  if (schema->dictionary != NULL) {
    if (schema->dictionary->release != NULL) schema->dictionary->release(schema->dictionary);
    free(schema->dictionary);
  }
  schema->release = NULL;
  --unreleased;
}

static void release_array(struct ArrowArray* array) {
  struct ArrowArray* const* children = array->private_data;
  for (int64_t i = 0; children != NULL && children[i] != NULL; ++i) {
    if (children[i]->release != NULL) children[i]->release(children[i]);
    free(children[i]);
  }
  free(array->private_data);
  if (array->dictionary != NULL) {
    if (array->dictionary->release != NULL) array->dictionary->release(array->dictionary);
    free(array->dictionary);
  }
  free((void*)array->buffers);
  array->release = NULL;
  --unreleased;
}

static void fill_schema(const test_column* column, struct ArrowSchema* schema) {
  memset(schema, 0, sizeof *schema);
  schema->format = column->format;
  schema->name = column->name;
  schema->flags = ARROW_FLAG_NULLABLE;
  schema->release = release_schema;
  if (column->dictionary != NULL) {
    schema->dictionary = zeroed(sizeof *schema);
    fill_schema(column->dictionary, schema->dictionary);
  }
  ++unreleased;
}

static void fill_array(const test_column* column, struct ArrowArray* array) {
  memset(array, 0, sizeof *array);
  array->length = column->length;
  array->offset = column->offset;
  array->null_count = column->null_count;
  array->n_buffers = column->n_buffers;
  const void** buffers = zeroed(MOST_BUFFERS * sizeof(void*));
  memcpy(buffers, column->buffers, MOST_BUFFERS * sizeof(void*));
  array->buffers = buffers;
  array->release = release_array;
  if (column->dictionary != NULL) {
    array->dictionary = zeroed(sizeof *array);
    fill_array(column->dictionary, array->dictionary);
  }
  ++unreleased;
}

static void make_schema(const test_column* columns, int64_t count, struct ArrowSchema* schema) {
  const test_column whole = {.name = "", .format = "+s"};
  fill_schema(&whole, schema);
  schema->n_children = count;
  schema->children = zeroed((size_t)(count + 1) * sizeof(struct ArrowSchema*));
  for (int64_t i = 0; i < count; ++i) {
    schema->children[i] = zeroed(sizeof *schema);
    fill_schema(&columns[i], schema->children[i]);
  }
}

static void make_array(const test_column* columns, int64_t count, int64_t length, int64_t offset,
                       struct ArrowArray* array) {
  const test_column whole = {.length = length, .offset = offset, .n_buffers = 1};
  fill_array(&whole, array);
  array->n_children = count;
  array->children = zeroed((size_t)(count + 1) * sizeof(struct ArrowArray*));
  array->private_data = (void*)array->children;
  for (int64_t i = 0; i < count; ++i) {
    array->children[i] = zeroed(sizeof *array);
    fill_array(&columns[i], array->children[i]);
  }
}

void make_batch(const test_column* columns, int64_t count, int64_t length, int64_t offset,
                struct ArrowSchema* schema, struct ArrowArray* array) {
  make_schema(columns, count, schema);
  make_array(columns, count, length, offset, array);
}

typedef struct stream_state {
  const test_column* columns;
  int64_t count;
  int64_t length;
  int64_t parts;
  int64_t next;
} stream_state;

static int give_schema(struct ArrowArrayStream* stream, struct ArrowSchema* out) {
  const stream_state* state = stream->private_data;
  make_schema(state->columns, state->count, out);
  return 0;
}

static int give_next(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  stream_state* state = stream->private_data;
  if (state->next == state->parts) {
    memset(out, 0, sizeof *out);
    return 0;
  }
  const int64_t from = state->length * state->next / state->parts;
  const int64_t to = state->length * ++state->next / state->parts;
  make_array(state->columns, state->count, to - from, from, out);
  return 0;
}

static const char* no_error(struct ArrowArrayStream* stream) {
  (void)stream;
  return NULL;
}

static void release_stream(struct ArrowArrayStream* stream) {
  free(stream->private_data);
  stream->release = NULL;
  --unreleased;
}

void make_stream(const test_column* columns, int64_t count, int64_t length, int64_t parts,
                 struct ArrowArrayStream* stream) {
  stream_state* state = zeroed(sizeof *state);
  *state = (stream_state){columns, count, length, parts, 0};
  stream->get_schema = give_schema;
  stream->get_next = give_next;
  stream->get_last_error = no_error;
  stream->release = release_stream;
  stream->private_data = state;
  ++unreleased;
}
