/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports how far a profile can be trusted: how much of the run was sampled
   (balance.c), and how many samples were in code without tables (uncovered.c). */

#ifndef MLPROF_BALANCE_H
#define MLPROF_BALANCE_H

#include "mlprof/profile/profile.h"
#include "mlprof/program/program.h"
#include "mlprof/program/skid.h"
#include "mlprof/view/view.h"

#include <stdbool.h>
#include <stdio.h>

/* Prints how much time was sampled, unsampled and lost. Prints nothing if nothing was
   measured. SKID has the charges of samples. If it is NULL, samples were charged to
   the instruction at which they were taken. */
void balance_print(FILE *out, const struct profile *profile, const struct skid *skid);

/* Prints one line instead of several: the sampled percentage of the CPU time, the
   error of shares unless it is large, and UNCOVERED, the percentage of samples in code
   without tables. */
void balance_print_brief(FILE *out, const struct profile *profile, double uncovered);

/* Returns whether the full report is needed because the profile may be wrong or
   incomplete. */
bool balance_is_wrong(const struct profile *profile, const struct skid *skid);

/* Prints a line about threads that were not counted in full, and the runtime's messages
   about missing data, if there are any. */
void balance_print_uncounted(FILE *out, const struct profile *profile);

/* Returns the system calls that the system did not allow the program to make, so that
   samples are missing. The names are separated by commas; the text is empty if all
   calls were allowed. The caller frees the text. */
char *balance_refused(const struct profile *profile);

/* Returns the fraction of the samples, from 0 to 1, that may have been taken in step
   with the program. Returns 0 if samples cannot be in step with the program, or if
   the fraction is too small to matter.

   The kernel checks CPU timers at its tick. A program that computes without a pause
   drifts against the tick, but a program that waits may be woken in step with the
   tick. So a sample can be in step only if the program has waited since the previous
   sample. The number of such samples is at most the number of waits. The other
   engines sample at random moments (rt/sampler/engine.h), so no program is in step with
   them.

   The fraction matters if it could change a share by more than 5 percentage points,
   and by more than the random error: 1/sqrt(samples), two standard deviations of a
   share of one half. */
double balance_in_step(const struct profile *profile);

/* Prints a line if shares of the profile's samples may be wrong by more than one
   percentage point (statistics_bound), or, if BRIEF, by more than five. If a row is
   MARKED, also explains the mark in front of rows. Returns whether anything was
   printed. */
bool balance_print_precision(FILE *out, const struct profile *profile, bool marked,
                             bool brief);

/* Returns a sentence that explains why there are no samples and what to do. The
   caller frees it. Returns NULL if there are samples, or if time was not measured. */
char *balance_why_none(const struct profile *profile);

/* The functions below are in uncovered.c.

   Returns the percentage of the samples in code without tables: libraries not compiled
   with ccprof, or assembly code of the program. */
double uncovered_percent(const struct profile *profile, const struct program *program);

/* Prints how much time was spent in code without tables, and the modules with most of
   this time. If it is much time, also prints advice. Prints nothing if there was no
   such time. EXECUTABLE is the name of module 0. SHOWN: the report already shows
   functions outside of the profile. */
void uncovered_print(FILE *out, const struct profile *profile,
                     const struct program *program, const char *executable, bool shown);

/* Prints a line with the time in the program, the time in the kernel, and the system
   calls that took most of the kernel's time. Prints nothing if no sample is known to
   be in the kernel. */
void uncovered_print_kernel(FILE *out, const struct profile *profile,
                            const struct program *program);

/* Returns the number of samples with unknown outermost callers. The callers are
   unknown because a function has no unwind tables. */
uint64_t uncovered_broken_samples(const struct rows *rows);

/* Prints how many samples have guessed callers; also how many have unknown outermost
   callers, and the functions in which these were taken. Prints nothing if there are
   none. */
void uncovered_print_broken(FILE *out, const struct view *view);

/* Returns lines that say which instructions are not in the numbers of VIEW, and which are
   counted only once (flow/instructions.h). Returns NULL if instructions are not shown, or
   if there is nothing to say. The caller frees the text. */
char *uncovered_instructions(const struct view *view);

#endif
