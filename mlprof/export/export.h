/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the export formats. A format is a file that defines a struct export_format,
   which is declared below and listed in export.c. From the entry, options-table.c
   makes the option -NAME, and commands/viewfiles.c writes the file. */

#ifndef MLPROF_EXPORT_H
#define MLPROF_EXPORT_H

#include "mlprof/base/fault.h"
#include "mlprof/view/views.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What the user says about the program, for formats that stores of profiles receive. */
struct export_labels {
    const char *service;     /* the name of the program; NULL: its file name */
    const char *const *list; /* COUNT words NAME=VALUE, with different names */
    size_t count;
};

/* The arguments of a writer. */
struct export_input {
    const struct view *view;
    const struct views_data *table; /* for formats of a single table */
    /* Selects the functions or regions of TABLE; NULL: all. */
    const struct pattern *requested;
    const char *program;                /* as given by the user */
    const char *maker;                  /* "ccprof" and its version */
    const char *title;                  /* requested title; NULL: the program's name */
    const struct export_labels *labels; /* NULL: none */
    struct fault *fault; /* set if the format cannot show anything of the profile */
};

/* Writes to OUT, a buffer in memory. */
typedef void export_writer(FILE *out, const struct export_input *input);

/* Receives one of the files of a format with several files. Takes ownership of PATH
   and TEXT, which has SIZE bytes. */
typedef void export_sink(void *data, char *path, char *text, size_t size);

/* Passes the files of a format with several files to SINK. FOLDER is the argument of
   the option. Prints a summary, which replaces the table. */
typedef void export_files_writer(const char *folder, const struct export_input *input,
                                 export_sink *sink, void *data);

/* Data that is evaluated only if a format needs it. */
enum export_needs {
    EXPORT_BLOCKS = 1,    /* counts of blocks; without them nothing is written */
    EXPORT_ADDRESSES = 2, /* frames with their addresses */
    EXPORT_ORIGINS = 4,   /* the origin of each sample, if the data has it */
    EXPORT_RUNS = 8,      /* each run's counts of GCC's own profile (flow/arccounts.h) */
    EXPORT_HEAP = 16,     /* every measure of the heap, if the heap is shown */
    EXPORT_WRAPPERS = 32, /* stacks of the heap including wrappers of allocators */
    EXPORT_EVENTS = 64,   /* every measure of instructions, if instructions are shown */
    EXPORT_THREADS = 128  /* frames of threads, which other formats merge */
};

struct export_format {
    const char *name;     /* name of the option */
    const char *argument; /* argument of the option; NULL: a file */
    const char *help;
    const char *details; /* more lines for -help, or NULL */
    outputs_set kind;    /* the options with an effect on the file follow from it */
    outputs_set affects; /* commands whose result also goes into the file */
    unsigned needs;      /* bits of enum export_needs */
    /* If true, the file is always compressed. If false, it is compressed if its name
       ends in .gz. */
    bool compressed;
    export_writer *write; /* NULL: the format has several files (write_files) */
    export_files_writer *write_files;
};

/* The formats. Each format is defined in its own file. */
extern const struct export_format html_format, data_json_format, data_csv_format,
    pprof_format, otlp_format, folded_format, callgrind_format, lcov_format,
    cobertura_format, dhat_format, gcda_format, afdo_format, perfetto_format;

/* All formats, in the order in which files are written and -help lists the formats. */
extern const struct export_format *const export_formats[];
extern const size_t export_format_count;

/* The maximum number of formats. */
#define EXPORT_MOST 13

/* For each format, the name of the file to write, or NULL. */
struct export_files {
    const char *paths[EXPORT_MOST];
};

/* Returns the content of the file at PATH: TEXT, compressed if ALWAYS is true or the
   file's name ends in .gz. *SIZE is the number of bytes before and after the call.
   Frees TEXT if it was compressed. */
char *export_compress(const char *path, char *text, size_t *size, bool always);

/* Writes TEXT, which has SIZE bytes, to the file at PATH. Compresses it if the file's
   name ends in .gz. Frees TEXT. */
bool export_save(const char *path, char *text, size_t size, struct fault *fault);

/* Returns the name of the file to write in the format NAME, or NULL. */
const char *export_path(const struct export_files *files, const char *name);

/* Writes the page. PRINT_MORE prints additional fields; DATA is its context. */
struct datacolumns;
void html_write_more(FILE *out, const struct export_input *input,
                     void (*print_more)(struct datacolumns *columns, const void *data),
                     const void *data);

/* The first function returns whether any of FILES is requested. The second function
   returns whether a file is requested whose format needs NEED. */
bool export_is_requested(const struct export_files *files);
bool export_needs(const struct export_files *files, enum export_needs need);

/* Returns whether files are requested and the formats of all of them need NEED. */
bool export_needs_alone(const struct export_files *files, enum export_needs need);

/* Write 32-bit words of gcov and AutoFDO with the low byte first (GCC: gcov-io.h). */
static inline void words_put(FILE *out, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        putc((int)(word >> 8 * i & 0xff), out);
}

/* Writes a 64-bit number as two words, the low one first. */
static inline void words_put_two(FILE *out, uint64_t count)
{
    words_put(out, (uint32_t)count);
    words_put(out, (uint32_t)(count >> 32));
}

/* Writes the head of a record of counters, which must be fewer than 2^28. If ZEROS,
   all counters are 0 and are not written; the head then has their negative length. */
static inline void words_put_head(FILE *out, uint32_t tag, size_t counters, bool zeros)
{
    int32_t length = (int32_t)(8 * counters);
    words_put(out, tag);
    words_put(out, (uint32_t)(zeros ? -length : length));
}

#endif
