/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands, which main.c calls. ask.c asks a running process. operands.c completes
   the command line. programs.c lists the programs of folders. show.c and viewfiles.c show
   views, report.c reads the data for them, live*.c shows them again and again, opener.c
   opens pages. comparison.c compares profiles. gates.c checks and updates
   budgets. advice.c prints what the data lacks. */

#ifndef MLPROF_COMMANDS_H
#define MLPROF_COMMANDS_H

#include "mlprof/base/buf.h"
#include "mlprof/report/report.h"
#include "mlprof/options/options.h"
#include "mlprof/request/request.h"
#include "mlprof/tables/tables.h"
#include "mlprof/view/view.h"

/* ask.c: the profile of a running process (-pid). All zero at first. */
struct asked {
    struct request_data data;
    char *words[2]; /* the operands: the program, and the path of DATA */
    char *root;
    uint64_t start; /* of the data; 0: they say it */
};

/* If -pid is given, asks the process, waits for -seconds, writes the file of -record, and
   sets the operands and the root of OPTIONS. They are valid until asked_end, which the
   caller calls in any case. If the process gives no profile, or the file cannot be
   written, returns false and sets FAULT. */
bool asked_begin(struct asked *asked, struct options *options, struct fault *fault);

/* Frees ASKED. If FAULT names the file in memory, it then names the process. */
void asked_end(struct asked *asked, struct fault *fault);

/* operands.c: finds the program of a data file, or the data files of a program, in the
   current folder. All zero at first. */
struct operands {
    char **words; /* executable, then data files; NULL: nothing was missing */
    size_t count, capacity;
};

/* Completes the operands of OPTIONS: the executable, followed by its data files. If
   operands were missing, FOUND owns the words, and operands_free frees them. If no
   data file is found, no_data of OPTIONS says why. If no executable is found, returns
   false and sets FAULT. */
bool operands_complete(struct operands *found, struct options *options,
                       struct fault *fault);

void operands_free(struct operands *found);

/* programs.c: lists the programs whose data files are in folders. Reads only the
   beginning of each file. A program is identified by its build ID, or by its path if
   it has no build ID. The operands in OPTIONS are the folders. If there is no data
   file, or if one cannot be read, returns false and sets FAULT. */
bool programs_show(const struct options *options, struct fault *fault);

/* Returns a data file of the only program in the folders. With -merge-builds, returns
   a data file of the first build. The caller frees the text. If there are several
   programs or none, returns NULL and sets FAULT. */
char *programs_only(const struct options *options, struct fault *fault);

/* show.c: prints the requested views, or has them written to files.

   Returns a view of REPORT with the style that OPTIONS request. It is valid as long
   as both arguments. */
struct view show_view(const struct options *options, struct report *report);

/* With -heap, checks before anything is read that all requested views can show the
   heap instead of other measures, or show regions. */
bool show_check(const struct options *options, struct fault *fault);

/* A printed row. */
struct show_row {
    char *pattern; /* a regular expression that matches its name and position */
    size_t lines;
};

/* What show_views tells about the table of functions or of -by. All zero at first; a
   table that was not printed has no rows. */
struct show_table {
    size_t start; /* where the table starts in the output, in bytes */
    bool sorted;  /* by the column that the options request */
    BUF_VECTOR(struct show_row) rows;
    const struct measure *measure;
    unsigned kinds;              /* of the profile, enum ccprof_kind */
    bool heap;                   /* the profile has the heap */
    uint64_t samples, cpu, wall; /* of the whole profile; times in nanoseconds */
};

void show_table_free(struct show_table *table);

/* Prints the views of REPORT on OUT. Sets TABLE, which may be NULL. If a view has nothing
   to show, a file cannot be written, or no function matches a pattern, returns false and
   sets FAULT. */
bool show_views(FILE *out, const struct options *options, struct report *report,
                struct show_table *table, struct fault *fault);

/* report.c: reads the data files, evaluates them, and shows the views, on standard output
   or on OUT. Sets TABLE as show_views does. If a file cannot be used or a view has
   nothing to show, returns false and sets FAULT. */
bool report_show(const struct options *options, struct tables *executable,
                 struct fault *fault);
bool report_print(FILE *out, const struct options *options, struct tables *executable,
                  struct show_table *table, struct fault *fault);

/* Opens the tables of the executable. If there is data, the executable may lack tables,
   because only its shared objects may have been profiled. */
struct tables *report_executable(const struct options *options, struct fault *fault);

/* live.c: shows the profile of a running process or of a folder of slices on the
   terminal, and updates it (-live), until the user quits. If there is no terminal, or the
   process takes no requests, returns false and sets FAULT. */
bool live_show(const struct options *options, struct fault *fault);

/* viewfiles.c: views that are written to files: the call graph, the flame graph and
   the export formats.

   Returns whether one of the files is standard output, so that nothing else may be
   printed there. */
bool viewfiles_take_output(const struct options *options);

/* Checks the names of the requested files. If a name has a picture format that mlprof
   does not write, or if several files are standard output, returns false and sets
   FAULT. */
bool viewfiles_check(const struct options *options, struct fault *fault);

/* Writes the requested files. If a file cannot be written, returns false and sets
   FAULT. */
bool viewfiles_write(const struct options *options, const struct view *view,
                     struct fault *fault);

/* Returns whether only files are requested, so that no view is printed. If none of
   the files is standard output, prints a line that names them. */
bool viewfiles_alone(const struct options *options);

/* opener.c: opens the page in a browser (-open). All zero at first. */
struct opener {
    char *path;     /* the page to open, or NULL */
    bool temporary; /* opener.c created the file */
};

/* With -open, sets PATH. If OPTIONS have no -html, creates a temporary file and makes
   it the file of -html. The caller calls opener_end in any case. If no file can be
   created, returns false and sets FAULT. */
bool opener_begin(struct opener *opener, struct options *options, struct fault *fault);

/* If there is a page, opens it with a program named in $BROWSER, or with xdg-open. If
   no program can open it, returns false and sets FAULT, which names the file. */
bool opener_show(const struct opener *opener, struct fault *fault);

/* Frees OPENER. Unless the page was WRITTEN, removes the temporary file. */
void opener_end(struct opener *opener, bool written);

/* comparison.c: reads the data files of each side run by run. Prints changes, the
   results of a formula, or how functions grow with the input.

   Returns whether the command line requests a comparison. */
bool comparison_is_requested(const struct options *options);

/* Reads, compares and prints. EXECUTABLE are the tables of the first operand;
   -unprofile removes functions from them. If a file cannot be read or belongs to
   another program, or if the sides have no measure in common, returns false and sets
   FAULT. */
bool comparison_show(const struct options *options, struct tables *executable,
                     struct fault *fault);

/* gates.c: compares exact counts with a budget (-gate), or updates one (-gate-update).

   Adds up the data files, and compares or updates. If a file cannot be used, or if a
   count exceeds its limit, returns false and sets FAULT. In the second case
   its kind is FAULT_BEYOND. */
bool gates_show(const struct options *options, struct tables *executable,
                struct fault *fault);

/* advice.c: prints which data the requested views need but do not have, and how to
   measure it. Prints lines on stderr. If a view would be empty, returns false and
   sets FAULT. */
bool advice_give(const struct options *options, const struct view *view,
                 struct fault *fault);

/* If code of the executable at PATH was compiled for LTO with the plugin but linked
   without it, prints a line. */
void advice_link(const struct tables *executable, const char *path);

#endif
