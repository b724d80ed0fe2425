/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports how far a profile can be trusted: what was sampled and what was not
   (balance.c), and how many samples were in code without tables (uncovered.c).  */

#ifndef MLPROF_BALANCE_H
#define MLPROF_BALANCE_H

#include "mlprof/profile/profile.h"
#include "mlprof/program/program.h"
#include "mlprof/program/skid.h"
#include "mlprof/view/view.h"

#include <stdbool.h>
#include <stdio.h>

/* Prints what was sampled and what was not; nothing if nothing was measured.  SKID says
   how samples were charged; NULL: to the instruction at which they were taken.  */
void balance_print(FILE *out, const struct profile *profile, const struct skid *skid);

/* The same in one line: the part of the CPU time that was sampled, how far shares can be
   trusted unless they are poor, and UNCOVERED, the percentage in code without tables.  */
void balance_print_brief(FILE *out, const struct profile *profile, double uncovered);

/* Whether one line is not enough, because tables may be wrong or cover only a part of the
   profile.  */
bool balance_is_wrong(const struct profile *profile, const struct skid *skid);

/* A line about threads that were not counted in full, if there were any.  */
void balance_print_uncounted(FILE *out, const struct profile *profile);

/* The system calls that were refused, so that samples are missing, with commas; empty if
   there are none.  Freed by free.  */
char *balance_refused(const struct profile *profile);

/* How large a fraction of the samples, from 0 to 1, may have been taken in step with the
   program; 0 if that cannot be or does not matter.

   The kernel checks CPU timers at its tick.  A program that computes without a pause
   drifts against the tick, but one that waits may be woken in step with it.  So a sample
   can be bound to the tick only if the program has waited since the sample before, and
   there are no more such samples than waits.  The other engines sample at random moments
   (rt/sample/engine.h), so no program is in step with them.

   It matters if a share could be wrong by more than 5 points, and by more than chance
   alone makes it: 1/sqrt(samples), two standard deviations of a share of a half.  */
double balance_in_step(const struct profile *profile);

/* Prints a line if shares of the profile's samples may be wrong by more than one point
   (statistics_bound), and the meaning of the mark in front of rows if a row is MARKED.
   If BRIEF, prints the first line only if they are poor.
   Returns whether anything was printed.  */
bool balance_print_precision(FILE *out, const struct profile *profile, bool marked,
                             bool brief);

/* Why there are no samples and what to do, a sentence to be freed; NULL if there are
   some, or if time was not measured.  */
char *balance_why_none(const struct profile *profile);

/* uncovered.c: the percentage of the samples in code without tables: in libraries that
   were not compiled with ccprof, or in assembly of the program itself.  */
double uncovered_percent(const struct profile *profile, const struct program *program);

/* Prints how much time was in such code, in which modules, those with the most first, and
   if it is much, what to do about it; nothing if there was no such time.  EXECUTABLE is
   the name of module 0.  SHOWN: functions outside are shown already.  */
void uncovered_print(FILE *out, const struct profile *profile,
                     const struct program *program, const char *executable, bool shown);

/* Prints a line with the time of the program, the time of the kernel, and the system
   calls with the most of it; nothing if no sample is known to be in the kernel.  */
void uncovered_print_kernel(FILE *out, const struct profile *profile,
                            const struct program *program);

/* The number of samples whose outermost callers are not known, since a function has no
   tables for unwinding.  */
uint64_t uncovered_broken_samples(const struct rows *rows);

/* Prints how many samples these are, and in which functions; nothing if there are none.
 */
void uncovered_print_broken(FILE *out, const struct view *view);

#endif
