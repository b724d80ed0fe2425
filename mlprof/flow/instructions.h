/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes how often each instruction was executed (kind instructions), from the
   counters of the machine code's edges. The result is a profile with a point for each
   instruction, like a profile of samples. Called by report/. */

#ifndef MLPROF_INSTRUCTIONS_H
#define MLPROF_INSTRUCTIONS_H

#include "mlprof/measure/measure.h"
#include "mlprof/profile/profile.h"
#include "mlprof/program/program.h"

/* What the points do not say. All numbers are executions. */
struct instructions_rest {
    bool measured;
    uint64_t all; /* instructions in the points, whatever the measure of the points */
    uint64_t counters; /* instructions of the counters, which are in no point */
    uint64_t calls;    /* calls of code without counters: libraries, the kernel's vdso */
    uint64_t system;   /* instructions for system calls */
    uint64_t repeats;  /* instructions that repeat themselves, each counted once */
    uint64_t padding;  /* no-operations, which are in no point */
    /* Jumps back inside a block: loops that the compiler does not know (assembly, probes
       of the stack), whose instructions are counted once. */
    uint64_t loops;
    /* Instructions that a condition inside a block may skip, but which are counted. */
    uint64_t skips;
    uint64_t unknown; /* bytes that are no known instruction, each counted once */
    /* Instructions that inclusive amounts have too much or do not have, because the
       compiler did not know how many are executed: assembly, code that the linker
       shortened. */
    uint64_t inexact;
    uint64_t tails; /* calls in tail position, which are not in their callers' totals */
};

/* The columns of the values of points and frames are the numbers of measures
   (measure_of_event), and two amounts that only the callgrind format has: executions of
   conditional branches and of indirect branches. */
enum instructions_column {
    INSTRUCTIONS_CONDITIONAL = MEASURE_EVENTS,
    INSTRUCTIONS_INDIRECT,
    INSTRUCTIONS_COLUMNS
};

/* Replaces the points of CHOSEN, a copy of PROFILE, by points with the amounts of
   MEASURE, a measure of the kind instructions. BESIDE are the columns whose amounts
   are known, too, as bits 1 << COLUMN: chosen->values has these amounts. Instructions
   without any of these amounts are left out. The caller frees the points with
   instructions_free. Returns false and sets FAULT if a table is damaged, if the code of a
   processor cannot be read, or if an amount needs more than 64 bits. With TOLERANT, a
   damaged shared object is left out with a message on stderr. */
bool instructions_make(struct profile *chosen, struct instructions_rest *rest,
                       const struct program *program, const struct measure *measure,
                       unsigned beside, bool tolerant, struct fault *fault);
void instructions_free(struct profile *chosen);

#endif
