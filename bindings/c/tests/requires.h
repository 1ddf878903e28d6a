/* What tests of the C interface share: claims that end the program, and files of their own. */
#ifndef PULSECAST_C_TESTS_REQUIRES_H
#define PULSECAST_C_TESTS_REQUIRES_H

#include <pulsecast/c/pulsecast.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(claim)                                                    \
  do {                                                                    \
    if (!(claim)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #claim); \
      exit(1);                                                            \
    }                                                                     \
  } while (0)

/* A call that goes well; `error` is in scope. */
#define WELL(...)                                                                      \
  do {                                                                                 \
    if ((__VA_ARGS__) != PULSECAST_OK) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, pulsecast_error_text(error)); \
      exit(1);                                                                         \
    }                                                                                  \
  } while (0)

/* A call that fails with this status and an error that says so; the error is freed. */
#define FAILS(expected, part, ...)                                                               \
  do {                                                                                           \
    pulsecast_status status_ = (__VA_ARGS__);                                                    \
    if (status_ != (expected) || error == NULL || pulsecast_error_status(error) != (expected) || \
        strstr(pulsecast_error_text(error), part) == NULL) {                                     \
      fprintf(stderr, "%s:%d: status %d: %s\n", __FILE__, __LINE__, (int)status_,                \
              pulsecast_error_text(error));                                                      \
      exit(1);                                                                                   \
    }                                                                                            \
    pulsecast_error_free(error);                                                                 \
    error = NULL;                                                                                \
  } while (0)

/* The program, and a folder for files; set by main. */
extern const char* program;
extern const char* folder;

/* folder/name, in memory that the next call but seven uses again. */
const char* in_folder(const char* name);
/* What a command of the program prints; to be freed. */
char* printed_by(const char* arguments);
void write_text(const char* path, const char* text);

/* Settings from names and values that end with NULL. */
pulsecast_settings* settings_of(const char* const* names_and_values);
pulsecast_rows* rows_from(pulsecast_source* source, const pulsecast_settings* settings,
                          const pulsecast_model* model);
pulsecast_rows* rows_of_file(const char* path, const pulsecast_settings* settings,
                             const pulsecast_model* model);
/* Ends the program where stamps, names or bits of values differ. */
void require_same_rows(const pulsecast_rows* a, const pulsecast_rows* b, const char* what);

void test_calls(void);
void test_arrow_in(void);
void test_hostile_arrow(void);
void test_trip(void);
void test_panel(void);

#endif
