/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What main.c calls, command by command: it completes the command line (operands.c),
   lists the programs of folders (programs.c), shows views (show.c, viewfiles.c) and pages
   (opener.c), compares profiles (comparison.c), or works with baselines (gates.c).
   advice.c prints what the data lack.  */

#ifndef MLPROF_COMMANDS_H
#define MLPROF_COMMANDS_H

#include "mlprof/evaluate/evaluate.h"
#include "mlprof/options/options.h"
#include "mlprof/tables/tables.h"
#include "mlprof/view/view.h"

/* operands.c: finds the program of a data file, or the data files of a program, in the
   current folder.  Starts as all zero.  */
struct operands {
    char **words; /* the executable, then the data files; NULL: nothing was missing */
    size_t count, capacity;
};

/* Completes the operands of OPTIONS: the executable first, then its data files.  FOUND
   owns the words if any were missing; operands_free frees them.  If no data file is
   found, no_data of OPTIONS says why.  False and FAULT if there is no executable.  */
bool operands_complete(struct operands *found, struct options *options,
                       struct fault *fault);

void operands_free(struct operands *found);

/* programs.c: lists the programs of the data files in folders.  Only the beginnings of
   the files are read.  A program is a build-id or, if it has none, a path.

   Prints the list for the operands, which are folders.  False and FAULT if there is no
   data file, or if one cannot be read.  */
bool programs_show(const struct options *options, struct fault *fault);

/* A data file of the only program in the folders, to be freed; with -merge-builds, of the
   first build.  NULL and FAULT if there are several programs, or none.  */
char *programs_only(const struct options *options, struct fault *fault);

/* show.c: prints the views that the command line requests, or has them written to files.
   A view of the result, with the style that the options ask for.  Lives as long as both
   arguments.  */
struct view show_view(const struct options *options,
                      const struct evaluate_result *result);

/* Checks, before anything is read, that with -heap all views can show the heap, which
   replaces the other measures, or regions.  */
bool show_check(const struct options *options, struct fault *fault);

/* OF_HEAP, unless it is NULL, is the result with the heap in the place of what else was
   measured.  False and FAULT if there is nothing to show in a view, a file cannot be
   written, or no function matches a pattern.  */
bool show_views(const struct options *options, const struct evaluate_result *result,
                const struct evaluate_result *of_heap, struct fault *fault);

/* viewfiles.c: the views that are files: the call graph, the flame graph and the formats
   of other programs.  Whether one of the files is standard output, so that nothing else
   may be printed.  */
bool viewfiles_take_output(const struct options *options);

/* Checks the requested files.  False and FAULT if a name is of a format that
   mlprof does not write, or if several files are standard output.  */
bool viewfiles_check(const struct options *options, struct fault *fault);

/* Writes the requested files.  False and FAULT if a file cannot be written.  */
bool viewfiles_write(const struct options *options, const struct view *view,
                     struct fault *fault);

/* Whether nothing is printed beside the files.  If none of them is standard output, a
   line that names them is.  */
bool viewfiles_alone(const struct options *options);

/* opener.c: the page to be shown in a browser (-open).  Starts as all zero.  */
struct opener {
    char *path;     /* NULL: no page is to be shown */
    bool temporary; /* this module has made the file */
};

/* With -open, sets PATH; if OPTIONS have no -html, they get PATH as that. opener_end
   frees OPENER in any case.  False and FAULT if no file can be made.  */
bool opener_begin(struct opener *opener, struct options *options, struct fault *fault);

/* Shows the page, if there is one, with a program that $BROWSER names, or with xdg-open.
   False and FAULT, which names the file, if all of them fail.  */
bool opener_show(const struct opener *opener, struct fault *fault);

/* Frees OPENER.  Unless the page was WRITTEN, removes a file that opener_begin made.  */
void opener_end(struct opener *opener, bool written);

/* comparison.c: reads the data files of each side run by run, and prints the changes, the
   results of a formula, or how functions grow with the input.  Whether the command line
   requests a comparison.  */
bool comparison_is_requested(const struct options *options);

/* Reads, compares and prints.  EXECUTABLE are the tables of the first operand; functions
   are taken out of them.  False and FAULT if a file cannot be read or is not of its
   program, or if the sides have no measure in common.  */
bool comparison_show(const struct options *options, struct tables *executable,
                     struct fault *fault);

/* gates.c: writes exact counts as a baseline, or compares them with one (-gate-write,
   -gate).  Adds up the data files, and writes or compares.  False and FAULT if a file
   cannot be used, and with the kind FAULT_BEYOND if counts differ from the baseline.  */
bool gates_show(const struct options *options, struct tables *executable,
                struct fault *fault);

/* advice.c: what the data lack for the requested views, and what to do about it.  Prints
   lines on stderr.  False and FAULT if a view would have nothing to show.  */
bool advice_give(const struct options *options, const struct view *view,
                 struct fault *fault);

/* Prints a line if code of the executable at PATH was compiled for LTO with the plugin
   and linked without it.  */
void advice_link(const struct tables *executable, const char *path);

/* Warns, of the FIRST run of a comparison of calls, that the data of VIEW have no stacks.
   False and FAULT if they have calls without who called.  */
bool advice_calls(const struct options *options, const struct view *view,
                  const char *program, bool first, struct fault *fault);

#endif
