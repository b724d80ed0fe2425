/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the formats of other programs that a profile can be written in.  A format is a
   file of its own that defines a struct export_format, whose name stands below and in
   export.c.  One entry
   is all that a format needs: options-table.c makes the option -NAME of it, viewfiles.c
   writes the file.  */

#ifndef MLPROF_EXPORT_H
#define MLPROF_EXPORT_H

#include "mlprof/base/fault.h"
#include "mlprof/view/views.h"

#include <stddef.h>

/* What a writer gets.  */
struct export_input {
    const struct view *view;
    const struct views_data *table; /* what is to be told by formats that tell of one */
    const struct pattern *asked;    /* of the functions or regions in it; NULL: all */
    const char *program;            /* as the user named it */
    const char *maker;              /* ccprof and its version */
    unsigned gcov_version;
    const char *title; /* NULL: the program's name, if a title is needed */
};

/* Writes to OUT, which is memory.  False and FAULT if there is nothing that the format
   could tell.  */
typedef bool export_writer(FILE *out, const struct export_input *input,
                           struct fault *fault);

/* What is evaluated only if a format asks for it.  */
enum export_needs {
    EXPORT_BLOCKS = 1,    /* counts of blocks, without which it is not written */
    EXPORT_ADDRESSES = 2, /* the addresses of the frames of stacks */
    EXPORT_GROUPED = 4,   /* rows of all that -by knows */
    EXPORT_ORIGINS = 8    /* which samples are of which origin, if the data tell */
};

struct export_format {
    const char *name; /* of the option */
    const char *help;
    const char *goes_by; /* the options with an effect on the file, blanks between them */
    const char *beside;  /* the commands of which the file tells, too, where they are
                            given;  NULL: none */
    const char *goes_by_beside; /* the options with an effect on the file then */
    bool of_table;              /* the file is the table that is printed otherwise */
    unsigned needs;             /* of enum export_needs */
    bool compressed; /* always; the others are if the file's name ends in .gz */
    export_writer *write;
};

/* Options that have an effect on the title, the source texts and the tables of a file,
   and on what builds of a program have in common.  */
#define EXPORT_BY_TITLE  "graph-title "
#define EXPORT_BY_TEXTS  "source-dir source-map source-text "
#define EXPORT_BY_TABLES "branch by paths subtract "
#define EXPORT_BY_BUILDS "merge-builds "

/* Each in a file of its own.  */
extern const struct export_format html_format, data_json_format, data_csv_format,
    pprof_format, firefox_format, speedscope_format, folded_format, callgrind_format,
    google_pprof_format, lcov_format, cobertura_format, gcov_json_format, dhat_format;

/* In the order in which they are written and -help lists them.  */
extern const struct export_format *const export_formats[];
extern const size_t export_format_count;

/* There are no more formats than this.  */
#define EXPORT_MOST 16

/* The files to be written, by format; NULL: none.  */
struct export_files {
    const char *paths[EXPORT_MOST];
};

/* What is to be written to the file at PATH: TEXT, of *SIZE bytes, or if it is to be
   compressed ALWAYS, or the file's name says so, that in its place, and TEXT is freed. */
char *export_compress(const char *path, char *text, size_t *size, bool always);

/* Writes TEXT, of SIZE bytes, which is freed, to the file at PATH, compressed if its name
   says so.  */
bool export_save(const char *path, char *text, size_t size, struct fault *fault);

/* The file of the format of that NAME; NULL: none is to be written.  */
const char *export_path(const struct export_files *files, const char *name);

/* Any of FILES is to be written, and one whose format needs NEED.  */
bool export_is_wanted(const struct export_files *files);
bool export_needs(const struct export_files *files, enum export_needs need);

#endif
