#define _POSIX_C_SOURCE 200809L
#include "requires.h"

const char* in_folder(const char* name) {
  static char paths[8][4096];
  static int next = 0;
  char* path = paths[next++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

char* printed_by(const char* arguments) {
  char command[8192];
  snprintf(command, sizeof command, "'%s' %s 2>/dev/null", program, arguments);
  FILE* pipe = popen(command, "r");
  REQUIRE(pipe != NULL);
  size_t size = 0;
  size_t room = 1 << 16;
  char* text = malloc(room);
  REQUIRE(text != NULL);
  for (size_t got = 1; got > 0; size += got) {
    if (room - size < 4096) {
      room *= 2;
      text = realloc(text, room);
      REQUIRE(text != NULL);
    }
    got = fread(text + size, 1, room - size - 1, pipe);
  }
  text[size] = '\0';
  REQUIRE(pclose(pipe) != -1);
  return text;
}

void write_text(const char* path, const char* text) {
  FILE* file = fopen(path, "wb");
  REQUIRE(file != NULL);
  REQUIRE(fputs(text, file) >= 0);
  REQUIRE(fclose(file) == 0);
}

pulsecast_settings* settings_of(const char* const* names_and_values) {
  pulsecast_error* error = NULL;
  pulsecast_settings* settings = NULL;
  WELL(pulsecast_settings_new(&settings, &error));
  for (; *names_and_values != NULL; names_and_values += 2) {
    WELL(pulsecast_settings_set(settings, names_and_values[0], names_and_values[1], &error));
  }
  return settings;
}

pulsecast_rows* rows_from(pulsecast_source* source, const pulsecast_settings* settings,
                          const pulsecast_model* model) {
  pulsecast_error* error = NULL;
  pulsecast_rows* rows = NULL;
  WELL(pulsecast_rows_new(source, settings, model, NULL, NULL, &rows, &error));
  pulsecast_source_free(source);
  return rows;
}

pulsecast_rows* rows_of_file(const char* path, const pulsecast_settings* settings,
                             const pulsecast_model* model) {
  pulsecast_error* error = NULL;
  pulsecast_source* source = NULL;
  WELL(pulsecast_source_file(path, &source, &error));
  return rows_from(source, settings, model);
}

/* From "channels" on to "repairs". */
static void require_same_channels(const pulsecast_rows* a, const pulsecast_rows* b,
                                  const char* what) {
  pulsecast_error* error = NULL;
  char* one = NULL;
  char* other = NULL;
  WELL(pulsecast_rows_json(a, &one, &error));
  WELL(pulsecast_rows_json(b, &other, &error));
  char* from = strstr(one, "\"rows\"");
  char* from_other = strstr(other, "\"rows\"");
  REQUIRE(from != NULL && from_other != NULL);
  if (strcmp(from, from_other) != 0) {
    fprintf(stderr, "%s:\n%s\n%s\n", what, from, from_other);
    exit(1);
  }
  pulsecast_text_free(one);
  pulsecast_text_free(other);
}

void require_same_rows(const pulsecast_rows* a, const pulsecast_rows* b, const char* what) {
  pulsecast_error* error = NULL;
  require_same_channels(a, b, what);
  const int64_t* stamps[2];
  size_t counts[2];
  WELL(pulsecast_rows_stamps(a, &stamps[0], &counts[0], &error));
  WELL(pulsecast_rows_stamps(b, &stamps[1], &counts[1], &error));
  REQUIRE(counts[0] == counts[1]);
  REQUIRE(memcmp(stamps[0], stamps[1], counts[0] * sizeof(int64_t)) == 0);
  for (size_t channel = 0; channel < pulsecast_rows_channels(a); ++channel) {
    const double* values[2];
    size_t firsts[2];
    WELL(pulsecast_rows_values(a, channel, &values[0], &counts[0], &firsts[0], &error));
    WELL(pulsecast_rows_values(b, channel, &values[1], &counts[1], &firsts[1], &error));
    REQUIRE(counts[0] == counts[1] && firsts[0] == firsts[1]);
    for (size_t i = 0; i < counts[0]; ++i) {
      const int are_missing = values[0][i] != values[0][i] && values[1][i] != values[1][i];
      if (!are_missing && values[0][i] != values[1][i]) {
        fprintf(stderr, "%s: value %zu of channel %zu is %g and %g\n", what, i, channel,
                values[0][i], values[1][i]);
        exit(1);
      }
    }
  }
}
