/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the formats of other programs that a profile can be written in.  A format is a
   file of its own that defines a struct export_format, whose name stands below and in
   export.c.  One entry is all that a format needs: options-table.c makes the option -NAME
   of it, viewfiles.c writes the file.  */

#ifndef MLPROF_EXPORT_H
#define MLPROF_EXPORT_H

#include "mlprof/base/fault.h"
#include "mlprof/view/views.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The arguments of a writer.  */
struct export_input {
    const struct view *view;
    const struct views_data *table; /* for formats of a single table: which table */
    /* Selects the functions or regions in TABLE; NULL: all.  */
    const struct pattern *requested;
    const char *program; /* as the user named it */
    const char *maker;   /* ccprof and its version */
    unsigned gcov_version;
    const char *title; /* NULL: the program's name, if a title is needed */
};

/* Writes to OUT, which is memory.  False and FAULT if there is nothing that the format
   can show.  */
typedef bool export_writer(FILE *out, const struct export_input *input,
                           struct fault *fault);

/* Takes a file of a format that is several: its path and its content, SIZE bytes, which
   it frees.  */
typedef void export_sink(void *data, char *path, char *text, size_t size);

/* Gives SINK the files of the format, for the FOLDER that the user has named, and prints
   what there is in them in place of the table.  False and FAULT as above.  */
typedef bool export_files_writer(const char *folder, const struct export_input *input,
                                 export_sink *sink, void *data, struct fault *fault);

/* What is evaluated only if a format needs it.  */
enum export_needs {
    EXPORT_BLOCKS = 1,     /* counts of blocks; without them the file is not written */
    EXPORT_ADDRESSES = 2,  /* frames with their addresses */
    EXPORT_GROUPED = 4,    /* rows by every key of -by */
    EXPORT_ORIGINS = 8,    /* which samples belong to which origin, if the data say it */
    EXPORT_RUNS = 16,      /* what each run has of GCC's own profile (flow/arccounts.h) */
    EXPORT_HEAP = 64,      /* every measure of the heap, where that is shown */
    EXPORT_TRAINED = 32,   /* the functions with counts for GCC, if there are any */
    EXPORT_WRAPPERS = 128, /* stacks of the heap with wrappers of allocators */
    EXPORT_BOTH = 256      /* the heap beside what else was measured and is shown */
};

struct export_format {
    const char *name;     /* of the option */
    const char *argument; /* of the option; NULL: a file */
    const char *help;
    const char *details; /* what -help says of the option beside HELP; NULL: nothing */
    const char *goes_by; /* the options with an effect on the file, blanks between them */
    /* Options whose output is written to the file, too, if they are given; NULL:
       none.  */
    const char *beside;
    /* The options with an effect on the file together with BESIDE.  */
    const char *goes_by_beside;
    bool of_table;  /* the file has the table that is printed by default */
    bool unprinted; /* no table is printed beside the file */
    unsigned needs; /* of enum export_needs */
    /* Always compressed; other formats are if the file's name ends in .gz.  */
    bool compressed;
    export_writer *write; /* NULL: the format is several files */
    export_files_writer *write_files;
};

/* Options with an effect on the title of a file; on its source texts; on its tables; and
   on what builds of a program have in common.  */
#define EXPORT_BY_TITLE  "graph-title "
#define EXPORT_BY_TEXTS  "source-dir source-map source-text "
#define EXPORT_BY_TABLES "branch by paths subtract "
#define EXPORT_BY_BUILDS "merge-builds "

/* Each format is defined in a file of its own.  */
extern const struct export_format html_format, data_json_format, data_csv_format,
    pprof_format, firefox_format, speedscope_format, folded_format, callgrind_format,
    google_pprof_format, lcov_format, cobertura_format, gcov_json_format, dhat_format,
    massif_format, gcda_format, afdo_format;

/* In the order in which files are written and -help lists the formats.  */
extern const struct export_format *const export_formats[];
extern const size_t export_format_count;

/* The greatest number of formats.  */
#define EXPORT_MOST 16

/* By format: the file to be written, or NULL.  */
struct export_files {
    const char *paths[EXPORT_MOST];
};

/* The content of the file at PATH: TEXT, of *SIZE bytes, or TEXT compressed, if ALWAYS or
   if the file's name says so.  TEXT is freed if it was compressed.  */
char *export_compress(const char *path, char *text, size_t *size, bool always);

/* Writes TEXT, SIZE bytes, to the file at PATH, compressed if its name says so.  TEXT is
   freed.  */
bool export_save(const char *path, char *text, size_t size, struct fault *fault);

/* The file of the format called NAME; NULL: it is not to be written.  */
const char *export_path(const struct export_files *files, const char *name);

/* Writes the page with additional fields of data, which PRINT_MORE prints with DATA as
   its context.  */
struct datacolumns;
void html_write_more(FILE *out, const struct export_input *input,
                     void (*print_more)(struct datacolumns *columns, const void *data),
                     const void *data);

/* Whether any of FILES is to be written; and any whose format needs NEED.  */
bool export_is_requested(const struct export_files *files);
bool export_needs(const struct export_files *files, enum export_needs need);

/* Whether files are to be written, and all have formats that need NEED.  */
bool export_needs_alone(const struct export_files *files, enum export_needs need);

/* Write the words of binary formats, the low byte first: those of gcov and AutoFDO (GCC:
   gcov-io.h), and that of gperftools.  */
static inline void words_put(FILE *out, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        putc((int)(word >> 8 * i & 0xff), out);
}

/* Writes two words, the low one first.  */
static inline void words_put_two(FILE *out, uint64_t count)
{
    words_put(out, (uint32_t)count);
    words_put(out, (uint32_t)(count >> 32));
}

/* Writes the head of a record of counters, fewer than 2^28.  If all are ZEROS, which are
   not written, it has their negative length.  */
static inline void words_put_head(FILE *out, uint32_t tag, size_t counters, bool zeros)
{
    int32_t length = (int32_t)(8 * counters);
    words_put(out, tag);
    words_put(out, (uint32_t)(zeros ? -length : length));
}

#endif
