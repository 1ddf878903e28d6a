/* Pulsecast for C, and for every language that can call C.
 *
 *   pulsecast_settings* settings = NULL;
 *   pulsecast_source* source = NULL;
 *   pulsecast_rows* rows = NULL;
 *   pulsecast_model* model = NULL;
 *   pulsecast_forecast* forecast = NULL;
 *   pulsecast_error* error = NULL;
 *   if (pulsecast_settings_new(&settings, &error) ||
 *       pulsecast_settings_set(settings, "horizon", "48h", &error) ||
 *       pulsecast_source_file("load.csv", &source, &error) ||
 *       pulsecast_rows_new(source, settings, NULL, NULL, NULL, &rows, &error) ||
 *       pulsecast_fit(rows, settings, NULL, &model, &error) ||
 *       pulsecast_model_save(model, "load.model", &error)) {
 *     fprintf(stderr, "%s\n", pulsecast_error_text(error));
 *   }
 *
 * Calls.       Whatever can fail gives a pulsecast_status, 0 where it went well, and takes as its
 *              last argument where an error is put (NULL: nowhere). *error is written when the
 *              call fails and at no other time, and is then the caller's to free. What a call
 *              makes is put where the argument before it points to, NULL when it fails. No
 *              exception, signal or exit comes out of any of them.
 * Handles.     Opaque; each has its pulsecast_..._free, which takes NULL too. NULL where a handle
 *              is needed is PULSECAST_USAGE. What a handle was made of may be freed before it.
 * Text.        UTF-8 that ends with 0. A `const char*` belongs to the handle that it came from and
 *              lives as long; a `char*` is the caller's, to be freed with pulsecast_text_free.
 * JSON.        Documents may grow members; those that are there keep their meaning. A number that
 *              is not finite is null.
 * Time.        Milliseconds of UTC since 1970-01-01. Rows whose stamps name no zone, read without
 *              the setting `time-zone`, are taken as if their wall clock were UTC.
 * Threads.     Models never change: any number of threads may use one at once. So may they handles
 *              that a call takes as const, but for forecasts, while none changes them. Else a
 *              handle belongs to one thread at a time. No thread is started but by
 *              pulsecast_threads_new and, without threads told, inside pulsecast_fit.
 * Structs.     Options begin with `size`, to be set to sizeof of the struct: that is how later
 *              versions know what the caller knows. Everything else may be 0. NULL: all defaults.
 * Versions.    Symbols have the version PULSECAST_0. Before 1.0 a minor version may change the
 *              interface; then PULSECAST_ABI and the library's soname change.
 */
#ifndef PULSECAST_C_PULSECAST_H
#define PULSECAST_C_PULSECAST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PULSECAST_EXPORT __attribute__((visibility("default")))
#else
#define PULSECAST_EXPORT
#endif

/* ---- The Arrow C data and stream interfaces, as https://arrow.apache.org/docs/format/ declares
 * them, so that no Arrow library is needed. ---- */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

/* ---- Versions ---- */

#define PULSECAST_ABI 0

/* "0.1.0", of the library that runs. */
PULSECAST_EXPORT const char* pulsecast_version(void);
/* PULSECAST_ABI of the library that runs: to be compared with the header's. */
PULSECAST_EXPORT uint32_t pulsecast_abi(void);

/* ---- Errors ---- */

/* What kind of error; the program's exit codes are the same. */
typedef enum pulsecast_status {
  PULSECAST_OK = 0,
  PULSECAST_USAGE = 2,        /* a wrong call: settings, shapes, arguments, NULL */
  PULSECAST_DATA = 3,         /* the rows are not what they must be */
  PULSECAST_MODEL_FILE = 4,   /* a model file is damaged, hostile or of an unknown version */
  PULSECAST_INPUT_OUTPUT = 5, /* the system refused: files, memory, threads */
  PULSECAST_TRAINING = 6,     /* training cannot go on */
  PULSECAST_INTERRUPTED = 130 /* a callback asked to stop */
} pulsecast_status;

/* What an argument `words` says: how settings and actions are written in texts, duplicates = first
 * (plain), --duplicates first (command line) or duplicates="first" (Python). */
typedef enum pulsecast_words {
  PULSECAST_WORDS_PLAIN = 0,
  PULSECAST_WORDS_COMMAND_LINE = 1,
  PULSECAST_WORDS_PYTHON = 2
} pulsecast_words;

typedef struct pulsecast_error pulsecast_error;

PULSECAST_EXPORT pulsecast_status pulsecast_error_status(const pulsecast_error* error);
/* Place, message and remedies in a line, in plain words. Of NULL: "no error". */
PULSECAST_EXPORT const char* pulsecast_error_text(const pulsecast_error* error);
/* The same as data:
 *   {"kind": "data", "where": "load.csv:7", "source": "load.csv", "line": 7,
 *    "message": "2024-01-01 was in line 6 already",
 *    "remedies": [{"settings": [{"name": "duplicates", "value": "first"}],
 *                  "effect": "keeps the first of such rows",
 *                  "text": "duplicates = first keeps the first of such rows"}],
 *    "exit_code": 3}
 * "where" and "text" are in `words` (pulsecast_words), and so is "full_text", which is all of it in
 * a line. Belongs to the error and lives until it is asked for JSON again. Of NULL: "{}". */
PULSECAST_EXPORT const char* pulsecast_error_json(pulsecast_error* error, int words);
PULSECAST_EXPORT void pulsecast_error_free(pulsecast_error* error);

PULSECAST_EXPORT void pulsecast_text_free(char* text);

/* ---- Long calls: to hear of them and to end them ---- */

/* All are called on the thread that made the call, between pieces of its work. Every one may be
 * NULL. None may leave by longjmp or an exception. Texts live until the callback returns. */
typedef struct pulsecast_watch {
  size_t size;
  void* context; /* handed to each */
  /* stage: what is done, in a word or two for people, such as "reading", "training", "validation",
   * "calibration", "quantile head", "forecasting", "evaluation", "backtest". total 0: not known. */
  void (*on_progress)(void* context, const char* stage, uint64_t done, uint64_t total);
  void (*on_remark)(void* context, const char* text);
  /* Not 0 ends the call with PULSECAST_INTERRUPTED at the next piece of work. */
  int (*is_cancelled)(void* context);
  /* Not 0 asks a training to end with the best that it has so far. */
  int (*is_asked_to_finish)(void* context);
} pulsecast_watch;

typedef struct pulsecast_threads pulsecast_threads;

/* So many, the calling thread included; 0: one per CPU that the process may use. Calls that are
 * given the same handle share them. Results never depend on how many there are. */
PULSECAST_EXPORT pulsecast_status pulsecast_threads_new(size_t count, pulsecast_threads** threads,
                                                        pulsecast_error** error);
PULSECAST_EXPORT size_t pulsecast_threads_count(const pulsecast_threads* threads);
PULSECAST_EXPORT void pulsecast_threads_free(pulsecast_threads* threads);

/* ---- Settings: every one by its declared name ---- */

typedef struct pulsecast_settings pulsecast_settings;
typedef struct pulsecast_model pulsecast_model;

PULSECAST_EXPORT pulsecast_status pulsecast_settings_new(pulsecast_settings** settings,
                                                         pulsecast_error** error);
/* name: "lookback" or "data.lookback"; value: text as the program's flag takes it ("48h", "true",
 * "0.001"), of a list with commas between. An unknown name is PULSECAST_USAGE that names near
 * ones. */
PULSECAST_EXPORT pulsecast_status pulsecast_settings_set(pulsecast_settings* settings,
                                                         const char* name, const char* value,
                                                         pulsecast_error** error);
/* Of a list, value by value, which may hold commas. Of any other setting one value. */
PULSECAST_EXPORT pulsecast_status pulsecast_settings_set_list(pulsecast_settings* settings,
                                                              const char* name,
                                                              const char* const* values,
                                                              size_t count,
                                                              pulsecast_error** error);
/* {"data.horizon": "48h", "data.known": ["price"], ...}: what is set, or has a default. */
PULSECAST_EXPORT pulsecast_status pulsecast_settings_json(const pulsecast_settings* settings,
                                                          char** json, pulsecast_error** error);
/* What a model was trained with. */
PULSECAST_EXPORT pulsecast_status pulsecast_settings_of_model(const pulsecast_model* model,
                                                              pulsecast_settings** settings,
                                                              pulsecast_error** error);
/* How rows for a model are read: as in training. To be changed where new rows differ. */
PULSECAST_EXPORT pulsecast_status pulsecast_settings_for_reading(const pulsecast_model* model,
                                                                 pulsecast_settings** settings,
                                                                 pulsecast_error** error);
PULSECAST_EXPORT void pulsecast_settings_free(pulsecast_settings* settings);

/* Every setting there is: [{"section": "data", "group": "Windows", "name": "horizon",
 * "meaning": ..., "expected": ..., "default": ..., "is_switch": false, "is_list": false,
 * "choices": [{"name": ..., "meaning": ...}]}, ...]. */
PULSECAST_EXPORT pulsecast_status pulsecast_settings_catalogue(char** json,
                                                               pulsecast_error** error);

/* ---- Sources: where rows come from ----
 *
 * A file, bytes of one, columns in memory or Arrow data. Columns are found by their names, and
 * settings say what they are, as they do for a file: `time-column`, `id-column`, `value-column`,
 * `target`, `known`, `past`, `ignore`, `static`. The same columns give the same rows,
 * findings and models whichever way they came: a column of ids makes rows long (a row a series and
 * stamp), without one they are wide (a column a channel). */

typedef struct pulsecast_source pulsecast_source;

/* CSV and its relatives, .gz, .npz, a folder; "-" is standard input. Read when rows are made. */
PULSECAST_EXPORT pulsecast_status pulsecast_source_file(const char* path, pulsecast_source** source,
                                                        pulsecast_error** error);
/* Bytes of such a file, which must outlive the source; `name` stands for them in messages. */
PULSECAST_EXPORT pulsecast_status pulsecast_source_bytes(const void* bytes, size_t size,
                                                         const char* name,
                                                         pulsecast_source** source,
                                                         pulsecast_error** error);

/* A record batch. The schema and the array are moved into the source, which releases them: both are
 * marked as released here, whether the call goes well or not. Types that are taken:
 *   numbers   all integers, float16, float32, float64, bool (0 and 1), null
 *   stamps    timestamp[s, ms, us, ns] with a zone or none, date32, date64; in `time-column` also
 *             integers and text, read as a file's would be
 *   text      utf8, large_utf8, utf8_view, and dictionaries of them with any index
 * A null is a missing value. Another type in a column that is read is PULSECAST_DATA that names the
 * column and the type. */
PULSECAST_EXPORT pulsecast_status pulsecast_source_arrow(struct ArrowSchema* schema,
                                                         struct ArrowArray* array, const char* name,
                                                         pulsecast_source** source,
                                                         pulsecast_error** error);
/* Every batch of a stream, which is read to its end and released here. Numbers stay where they are
 * until rows are made, which copies them once. */
PULSECAST_EXPORT pulsecast_status pulsecast_source_arrow_stream(struct ArrowArrayStream* stream,
                                                                const char* name,
                                                                pulsecast_source** source,
                                                                pulsecast_error** error);

/* No columns yet; `name` stands for them in messages. What is added stays the caller's memory and
 * must outlive the source; names are copied. `stride` counts elements from one value to the next: 1
 * of a column, the number of columns in rows. */
PULSECAST_EXPORT pulsecast_status pulsecast_source_columns(const char* name,
                                                           pulsecast_source** source,
                                                           pulsecast_error** error);
/* NaN is a missing value. */
PULSECAST_EXPORT pulsecast_status pulsecast_source_add_doubles(pulsecast_source* source,
                                                               const char* column,
                                                               const double* values, size_t count,
                                                               size_t stride,
                                                               pulsecast_error** error);
PULSECAST_EXPORT pulsecast_status pulsecast_source_add_floats(pulsecast_source* source,
                                                              const char* column,
                                                              const float* values, size_t count,
                                                              size_t stride,
                                                              pulsecast_error** error);
/* Stamps. zone NULL: a wall clock's, `time-zone` says whose; else an IANA name, and milliseconds
 * are of UTC. INT64_MIN is a stamp that is missing. */
PULSECAST_EXPORT pulsecast_status pulsecast_source_add_stamps(pulsecast_source* source,
                                                              const char* column,
                                                              const int64_t* milliseconds,
                                                              size_t count, const char* zone,
                                                              pulsecast_error** error);
/* Text, such as ids: of each row the number of its label, -1 where there is none. Labels are
 * copied. */
PULSECAST_EXPORT pulsecast_status pulsecast_source_add_labels(
    pulsecast_source* source, const char* column, const int32_t* codes, size_t count,
    const char* const* labels, size_t label_count, pulsecast_error** error);
PULSECAST_EXPORT void pulsecast_source_free(pulsecast_source* source);

/* The doctor's findings, with what would mend them: the document of `pulsecast check --json`. It
 * has "ready", which is false where nothing could be trained, with the reason in "refusal". */
PULSECAST_EXPORT pulsecast_status pulsecast_check(const pulsecast_source* source,
                                                  const pulsecast_settings* settings,
                                                  const pulsecast_threads* threads,
                                                  const pulsecast_watch* watch, int words,
                                                  char** json, pulsecast_error** error);

/* ---- Rows: series on one grid of steps, read, repaired and checked ---- */

typedef struct pulsecast_rows pulsecast_rows;

/* With a model: rows as that model wants them, aligned by names; settings are then those of
 * pulsecast_settings_for_reading with changes, or NULL. Without: rows to learn from; settings NULL:
 * all defaults. */
PULSECAST_EXPORT pulsecast_status
pulsecast_rows_new(const pulsecast_source* source, const pulsecast_settings* settings,
                   const pulsecast_model* model, const pulsecast_threads* threads,
                   const pulsecast_watch* watch, pulsecast_rows** rows, pulsecast_error** error);
PULSECAST_EXPORT pulsecast_status pulsecast_rows_clone(const pulsecast_rows* rows,
                                                       pulsecast_rows** copy,
                                                       pulsecast_error** error);
/* {"source": ..., "rows": 100, "step": "1h", "zone": "UTC", "long": false, "first": ..., "last":
 * ..., "channels": [{"name": ..., "role": "target"}], "repairs": [...], "left_out": [...]};
 * left_out are series that the model does not know. */
PULSECAST_EXPORT pulsecast_status pulsecast_rows_json(const pulsecast_rows* rows, char** json,
                                                      pulsecast_error** error);
/* Channels: targets first, then known, then past. 0 of NULL. */
PULSECAST_EXPORT size_t pulsecast_rows_channels(const pulsecast_rows* rows);
/* One a row. Lives until the rows are changed or freed. */
PULSECAST_EXPORT pulsecast_status pulsecast_rows_stamps(const pulsecast_rows* rows,
                                                        const int64_t** milliseconds, size_t* count,
                                                        pulsecast_error** error);
/* Of a channel, from row `first` on; NaN in a gap. Lives as stamps do. */
PULSECAST_EXPORT pulsecast_status pulsecast_rows_values(const pulsecast_rows* rows, size_t channel,
                                                        const double** values, size_t* count,
                                                        size_t* first, pulsecast_error** error);
/* The row after the last one that has a target. `milliseconds` must be a step after it; values, one
 * a channel, NaN where there is none. A row is appended as a whole or not at all. */
PULSECAST_EXPORT pulsecast_status pulsecast_rows_append(pulsecast_rows* rows, int64_t milliseconds,
                                                        const double* values, size_t count,
                                                        pulsecast_error** error);
PULSECAST_EXPORT void pulsecast_rows_free(pulsecast_rows* rows);

/* ---- Models ---- */

typedef struct pulsecast_fit_options {
  size_t size;
  const pulsecast_threads* threads; /* NULL: one per CPU, for this call */
  const pulsecast_watch* watch;
  int refit;              /* then train again on every row, as long as was best */
  const char* checkpoint; /* file where the run is saved as it goes; NULL: none */
  int resume;             /* go on from the checkpoint, if it is there */
  int allow_other_cpu;    /* also from one of a CPU whose last bits differ */
  /* Begin at this model's weights as far as they fit; a fresh start is trained too, and the better
   * one is what is returned. */
  const pulsecast_model* from;
  void* context; /* handed to each of these; as in pulsecast_watch */
  /* What was decided before the first step: {"title": ..., "channels": 7, "lookback": 96,
   * "horizon": 48, "period": 24, "decisions": [{"what": "period", "value": "24", "why": ...}]}. */
  void (*on_plan)(void* context, const char* json);
  void (*on_step)(void* context, uint32_t epoch, uint32_t epochs, uint32_t step, uint32_t steps,
                  double mean_loss);
  /* The epoch that is done, the first is 1; validation_mse is NaN without validation. */
  void (*on_epoch)(void* context, uint32_t epoch, double learning_rate, double training_loss,
                   double validation_mse, double seconds, int is_best);
} pulsecast_fit_options;

/* Learns a model. The rows are taken out of their handle, which has none afterwards, whether the
 * call goes well or not: pulsecast_rows_clone first where they are needed again. Ended early by
 * is_asked_to_finish it gives the best model so far; ended by is_cancelled none, but the
 * checkpoint, where one was asked for, can go on. Without a recipe, a model or epochs told, the
 * best forecast that the setting `budget` buys is searched for. */
PULSECAST_EXPORT pulsecast_status pulsecast_fit(pulsecast_rows* rows,
                                                const pulsecast_settings* settings,
                                                const pulsecast_fit_options* options,
                                                pulsecast_model** model, pulsecast_error** error);

PULSECAST_EXPORT pulsecast_status pulsecast_model_load(const char* path, pulsecast_model** model,
                                                       pulsecast_error** error);
/* Written beside, synced, renamed. */
PULSECAST_EXPORT pulsecast_status pulsecast_model_save(const pulsecast_model* model,
                                                       const char* path, pulsecast_error** error);
/* The bytes of a model file; they may be freed afterwards. */
PULSECAST_EXPORT pulsecast_status pulsecast_model_from_bytes(const void* bytes, size_t size,
                                                             pulsecast_model** model,
                                                             pulsecast_error** error);
/* *bytes are the caller's, to be freed with pulsecast_text_free. */
PULSECAST_EXPORT pulsecast_status pulsecast_model_to_bytes(const pulsecast_model* model,
                                                           char** bytes, size_t* size,
                                                           pulsecast_error** error);
/* {"title": ..., "weights": 1234, "lookback": 96, "horizon": 48, "period": 24, "step": "1h",
 *  "zone": "UTC", "channels": [{"name": ..., "role": "target"}], "panel": false, "settings": {...},
 *  "trained": {"first": ..., "last": ..., "rows": ...}, "best_validation": ..., "warnings": [...]}
 */
PULSECAST_EXPORT pulsecast_status pulsecast_model_card(const pulsecast_model* model, char** json,
                                                       pulsecast_error** error);
/* Everything that the model file says: the document of `pulsecast inspect --json`. */
PULSECAST_EXPORT pulsecast_status pulsecast_model_inspect(const pulsecast_model* model, char** json,
                                                          pulsecast_error** error);
/* What training came to: {"decisions": [...], "memory": ..., "was_ended": false, "tried": [...],
 * "epochs": [...]}; "null" of a model that was not fitted in this process. */
PULSECAST_EXPORT pulsecast_status pulsecast_model_fitted(const pulsecast_model* model, char** json,
                                                         pulsecast_error** error);
PULSECAST_EXPORT void pulsecast_model_free(pulsecast_model* model);

/* ---- Forecasts ---- */

typedef struct pulsecast_forecast_options {
  size_t size;
  const double* levels; /* of ranges, in percent: 80, 95 */
  size_t level_count;
  const double* quantiles; /* probabilities: 0.1, 0.5, 0.9 */
  size_t quantile_count;
  const int64_t* at; /* rows after this stamp are not read; NULL: all rows are */
  const double* min; /* bounds that values are held to; NULL: none */
  const double* max;
  int non_negative;  /* no value below 0 */
  int include_ended; /* of a panel also series that ended more than a horizon before the newest */
} pulsecast_forecast_options;

/* What became of a series. */
typedef enum pulsecast_series_status {
  PULSECAST_SERIES_OK = 0,
  PULSECAST_SERIES_SEASONAL_NAIVE = 1, /* a gap: the value one period earlier */
  PULSECAST_SERIES_LEVEL = 2,          /* no value at all: the training mean */
  PULSECAST_SERIES_NEW = 3,            /* of a panel, not seen in training; forecast */
  PULSECAST_SERIES_SHORT_HISTORY = 4,  /* fewer rows than the look-back; forecast */
  PULSECAST_SERIES_NEW_GROUP = 5,      /* a static column says what no series said; forecast */
  PULSECAST_SERIES_ENDED = 6           /* ended long before the others: not forecast */
} pulsecast_series_status;

typedef struct pulsecast_session pulsecast_session;
typedef struct pulsecast_forecast pulsecast_forecast; /* from one origin, or many */

/* The next steps after the last row that has targets, on the calling thread. */
PULSECAST_EXPORT pulsecast_status
pulsecast_model_forecast(const pulsecast_model* model, const pulsecast_rows* rows,
                         const pulsecast_forecast_options* options, pulsecast_forecast** forecast,
                         pulsecast_error** error);

/* For those who forecast again and again: a session keeps what a forecast needs beside the
 * model. threads NULL: the calling thread alone. */
PULSECAST_EXPORT pulsecast_status pulsecast_session_new(const pulsecast_model* model,
                                                        const pulsecast_threads* threads,
                                                        pulsecast_session** session,
                                                        pulsecast_error** error);
PULSECAST_EXPORT pulsecast_status
pulsecast_session_forecast(pulsecast_session* session, const pulsecast_rows* rows,
                           const pulsecast_forecast_options* options, pulsecast_forecast** forecast,
                           pulsecast_error** error);
/* From each of many past rows, in their order: cross validation of a model as it is. options->at is
 * not read. */
PULSECAST_EXPORT pulsecast_status pulsecast_session_forecast_from(
    pulsecast_session* session, const pulsecast_rows* rows, const int64_t* origins, size_t count,
    const pulsecast_forecast_options* options, const pulsecast_watch* watch,
    pulsecast_forecast** forecast, pulsecast_error** error);
PULSECAST_EXPORT void pulsecast_session_free(pulsecast_session* session);

/* One series from one origin. Pointers live as long as the forecast. */
typedef struct pulsecast_series {
  size_t size; /* set by the caller */
  const char* id;
  pulsecast_series_status status;
  const char* reason; /* of a status other than OK; else "" */
  int64_t cutoff;     /* stamp of its last row that was used */
  size_t count;       /* steps; 0 of a series that was not forecast */
  const int64_t* stamps;
  const double* values;
} pulsecast_series;

/* 1 but of pulsecast_session_forecast_from. 0 of NULL. */
PULSECAST_EXPORT size_t pulsecast_forecast_origins(const pulsecast_forecast* forecast);
PULSECAST_EXPORT size_t pulsecast_forecast_series_count(const pulsecast_forecast* forecast);
PULSECAST_EXPORT pulsecast_status pulsecast_forecast_series(const pulsecast_forecast* forecast,
                                                            size_t origin, size_t series,
                                                            pulsecast_series* view,
                                                            pulsecast_error** error);

/* All of it as columns, a row an origin, series and step, in that order. Pointers live as long as
 * the forecast. */
typedef struct pulsecast_table {
  size_t size; /* set by the caller */
  size_t rows;
  const int32_t* series;  /* (rows) number of the series, whose name is ids[series[row]] */
  const char* const* ids; /* (id_count) */
  size_t id_count;
  const int64_t* stamps;   /* (rows) */
  const int64_t* cutoffs;  /* (rows) */
  const int32_t* statuses; /* (rows) pulsecast_series_status */
  /* yhat; of ranges yhat_lo_80, yhat_hi_80; of quantiles q_0.1; then anchor, residual, scale and
   * effect, which are there always. NaN where the model did not make the value. */
  const char* const* names;     /* (column_count) */
  const double* const* columns; /* (column_count, rows) */
  size_t column_count;
  const char* zone; /* "UTC" or an IANA name */
} pulsecast_table;

PULSECAST_EXPORT pulsecast_status pulsecast_forecast_table(const pulsecast_forecast* forecast,
                                                           pulsecast_table* table,
                                                           pulsecast_error** error);

typedef enum pulsecast_arrow_flags {
  PULSECAST_ARROW_DEFAULT = 0,
  PULSECAST_ARROW_NAIVE_STAMPS = 1, /* ds and cutoff without a zone, as its wall clock shows them */
  PULSECAST_ARROW_COMPONENTS = 2,   /* also anchor, residual, scale and effect */
  PULSECAST_ARROW_CUTOFF = 4        /* also cutoff, after ds */
} pulsecast_arrow_flags;

/* The same as one Arrow record batch: unique_id (dictionary of utf8), ds (timestamp[ms] with the
 * rows' zone), yhat, ranges, quantiles (float64; null where there is no value), status (dictionary
 * of utf8). No copy is made of the numbers. The stream outlives the forecast and is the caller's to
 * release. */
PULSECAST_EXPORT pulsecast_status
pulsecast_forecast_arrow_stream(const pulsecast_forecast* forecast, int flags,
                                struct ArrowArrayStream* stream, pulsecast_error** error);
/* As `pulsecast forecast` writes it; of one origin. */
PULSECAST_EXPORT pulsecast_status pulsecast_forecast_csv(const pulsecast_forecast* forecast,
                                                         int with_components, char** csv,
                                                         pulsecast_error** error);
/* A picture of history and forecast, of one origin; a path that ends with .svg or .png (by cairo,
 * where it is installed). */
PULSECAST_EXPORT pulsecast_status pulsecast_forecast_picture(const pulsecast_forecast* forecast,
                                                             const pulsecast_rows* rows,
                                                             const char* path,
                                                             pulsecast_error** error);
PULSECAST_EXPORT void pulsecast_forecast_free(pulsecast_forecast* forecast);

/* ---- How good a model is, and what it sees ---- */

/* part: "held-out" (test rows, or rows newer than all that the model has seen), "validation",
 * "training", "all"; NULL: "held-out". Rows are those of pulsecast_rows_new with the model. The
 * document has what `pulsecast evaluate --json` has of scores. */
PULSECAST_EXPORT pulsecast_status pulsecast_evaluate(const pulsecast_model* model,
                                                     const pulsecast_rows* rows, const char* part,
                                                     const pulsecast_threads* threads,
                                                     const pulsecast_watch* watch, char** json,
                                                     pulsecast_error** error);

typedef struct pulsecast_backtest_options {
  size_t size;
  const pulsecast_threads* threads; /* NULL: the calling thread alone */
  const pulsecast_watch* watch;
  size_t stride;                  /* rows from one origin to the next; 0: 1 */
  size_t origins;                 /* the newest so many; 0: all that the rows allow */
  const char* part;               /* of a trained model, as in pulsecast_evaluate */
  size_t refit_every;             /* train again after so many origins; 0: never */
  int refit_on_drift;             /* train again when the drift alarm rises */
  size_t history_rows;            /* that a refit learns from, the newest; 0: all before it */
  size_t drift_window;            /* origins that the alarm looks at; 0: as many as fit */
  const char* out;                /* CSV of every forecast; NULL: none */
  int resume;                     /* go on from what lies beside `out` */
  const pulsecast_model* against; /* would the model have been better than this one? */
} pulsecast_backtest_options;

/* How a model would have done from many past origins. Either a model, with rows made for it, or
 * settings, with which one is trained on the rows before the first origin. The document is that of
 * `pulsecast backtest --json`. */
PULSECAST_EXPORT pulsecast_status pulsecast_backtest(const pulsecast_rows* rows,
                                                     const pulsecast_model* model,
                                                     const pulsecast_settings* settings,
                                                     const pulsecast_backtest_options* options,
                                                     char** json, pulsecast_error** error);

typedef struct pulsecast_inside pulsecast_inside;

/* What the model sees in windows whose futures are known, and the parts of its forecasts. Values
 * are scaled; level + unit * value brings them back to the rows' units. */
typedef struct pulsecast_inside_view {
  size_t size; /* set by the caller */
  size_t windows;
  size_t channels; /* rows of each window */
  size_t lookback; /* T */
  size_t horizon;  /* H */
  int has_anchor;
  int has_router;
  size_t rows;               /* R = windows * channels, window after window */
  const uint32_t* channel;   /* (R) number of the target */
  const int64_t* cutoff;     /* (R) stamp of the last row of its history */
  const uint8_t* is_present; /* (R) 0: it has gaps there, and what follows says nothing */
  const double* level;       /* (R) */
  const double* unit;        /* (R) */
  const float* history;      /* (R, T) */
  const float* past_anchor;  /* (R, T) 0 without an anchor */
  const float* truth;        /* (R, H) */
  const float* forecast;     /* (R, H) */
  const float* anchor;       /* (R, H) */
  const float* routed;       /* (R, H) the anchor without its encoding of the calendar */
} pulsecast_inside_view;

/* The newest windows of a part (as in pulsecast_evaluate; NULL: "all"): most_windows of more are
 * spread evenly, the newest among them; most_channels 0 is all. */
PULSECAST_EXPORT pulsecast_status pulsecast_look_inside(
    const pulsecast_model* model, const pulsecast_rows* rows, const char* part, size_t most_windows,
    size_t most_channels, const pulsecast_threads* threads, const pulsecast_watch* watch,
    pulsecast_inside** inside, pulsecast_error** error);
/* Pointers live as long as the handle. */
PULSECAST_EXPORT pulsecast_status pulsecast_inside_read(const pulsecast_inside* inside,
                                                        pulsecast_inside_view* view,
                                                        pulsecast_error** error);
PULSECAST_EXPORT void pulsecast_inside_free(pulsecast_inside* inside);

/* One HTML page about a model and rows, written to `path`. title NULL: "Forecast of " and the rows'
 * source. */
PULSECAST_EXPORT pulsecast_status pulsecast_report(const pulsecast_model* model,
                                                   const pulsecast_rows* rows, const char* title,
                                                   const pulsecast_forecast_options* options,
                                                   const pulsecast_threads* threads,
                                                   const pulsecast_watch* watch, const char* path,
                                                   pulsecast_error** error);

#ifdef __cplusplus
}
#endif

#endif /* PULSECAST_C_PULSECAST_H */
