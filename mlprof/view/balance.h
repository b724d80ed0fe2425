/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what was sampled and what was not, and how far it can be trusted.  */

#ifndef MLPROF_BALANCE_H
#define MLPROF_BALANCE_H

#include "mlprof/profile/profile.h"
#include "mlprof/program/program.h"
#include "mlprof/program/skid.h"
#include "mlprof/view/view.h"

#include <stdbool.h>
#include <stdio.h>

/* Prints nothing if nothing was measured.  SKID says how samples were charged; NULL: to
   where they were taken.  */
void balance_print(FILE *out, const struct profile *profile, const struct skid *skid);

/* The same in one line: the part of the CPU time that was sampled, how far shares can be
   trusted unless they are poor (precision.h), and UNCOVERED, the percentage that was in
   code without tables.  */
void balance_print_brief(FILE *out, const struct profile *profile, double uncovered);

/* Whether one line is not enough: the tables may be wrong, or not of all that was
   measured.  */
bool balance_is_wrong(const struct profile *profile, const struct skid *skid);

/* A line about threads that were not counted in full, if there were any.  */
void balance_print_uncounted(FILE *out, const struct profile *profile);

/* The system calls that were refused, so that samples are missing, with commas; empty if
   there are none.  Freed by free.  */
char *balance_refused(const struct profile *profile);

/* How large a fraction of the samples, from 0 to 1, may have been taken in step with the
   program; 0 if that cannot be or does not matter.

   The kernel looks at timers on CPU time when it ticks.  A program that computes without
   a pause drifts against the tick; one that waits may be woken in step with it.  So a
   sample can only be bound to the tick if the program has waited since the one before,
   and no more samples than there were waits are.  The moments of the other engines are
   random (rt/sample/interval.h), of which no program can be in step.
   That matters if a share could be wrong by more than 5 points, and by more than chance
   makes of so many samples: 1/sqrt(samples), two standard deviations of a half.  */
double balance_in_step(const struct profile *profile);

/* Prints a line if shares of the profile's samples may be wrong by more than one point
   (statistics_bound), and the meaning of the mark in front of rows if a row is MARKED.
   If BRIEF the first line stands only if they are poor.
   Returns whether anything was printed.  */
bool balance_print_precision(FILE *out, const struct profile *profile, bool marked,
                             bool brief);

/* Why there are none and what to do, a sentence to be freed; NULL if there are some, or
   if time was not measured.  */
char *balance_why_none(const struct profile *profile);

/* Prints how much time was in code without tables: libraries that were not compiled with
   ccprof, assembly of the program itself; in the kernel; and of which time callers are
   missing, since a function has no tables for unwinding.  */

/* The percentage of the samples that was in such code.  */
double uncovered_percent(const struct profile *profile, const struct program *program);

/* What there is to tell, none if there was no such time: how much, in which modules,
   those with most of it first, and if it is much, what to do about it.  EXECUTABLE is the
   name of module 0.  SHOWN tells that the functions outside are shown already.  */
void uncovered_print(FILE *out, const struct profile *profile,
                     const struct program *program, const char *executable, bool shown);

/* A line with the time of the program, that of the kernel, and the system calls with most
   of it; nothing if no sample is known to be of the kernel.  */
void uncovered_print_kernel(FILE *out, const struct profile *profile,
                            const struct program *program);

/* Samples whose outermost callers are not known.  */
uint64_t uncovered_broken_samples(const struct rows *rows);

/* Prints how much that is, and of which functions; nothing if there are none.  */
void uncovered_print_broken(FILE *out, const struct view *view);

#endif
