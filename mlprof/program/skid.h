/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charges samples to the instruction for which the program waited. The address of a
   sample is the next instruction to be executed. The sample is charged to the
   instruction that has just ended. If two instructions ended together, the sample is
   charged to the first of them. A sample is charged in this way only if the machine
   code shows which instruction has just ended. Uncertain charges are marked
   (doc/how-it-works.md, "Skid"). Created by report.c; used by stacks/, rows/ and
   the table of balances. */

#ifndef MLPROF_SKID_H
#define MLPROF_SKID_H

#include "mlprof/program/program.h"

/* An instruction. */
struct skid_place {
    uint64_t address; /* address in the file; 0: no instruction */
    struct tables_point point;
};

/* How the samples at a point are charged. */
struct skid_charge {
    struct skid_place places[2]; /* the second place may be empty */
    uint64_t count[2];
    /* If the place is a call: the place from which the called function returned. May
       be empty. */
    struct skid_place returned[2];
    /* Samples that are charged to one of the places may belong to the other place. */
    bool uncertain;
    size_t point; /* number of the point (skid_point) */
};

struct skid;

/* Finds out how the samples of PROFILE are charged. Call this after functions were
   removed from the tables (names.h), because removed functions are treated as
   excluded. PROFILE and PROGRAM must live as long as the result. The machine code is
   read through PROGRAM. */
struct skid *skid_new(const struct profile *profile, const struct program *program);

/* SKID may be NULL. */
void skid_free(struct skid *skid);

/* Sets CHARGE for the samples of a node of the profile. Call it once for each node.
   Returns false if the node has no samples, or if the samples are charged to their own
   address. */
bool skid_find(struct skid *skid, size_t node, struct skid_charge *charge);

/* skid_read returns the number of samples in profiled code whose machine code was
   read. skid_unread returns the number of the other samples in profiled code. These
   are charged to their own address, because the file is missing or lacks the code, or
   because the processor is unknown. */
uint64_t skid_read(const struct skid *skid);
uint64_t skid_unread(const struct skid *skid);

/* The points with samples are numbered from 0, in the order of modules and addresses.
   skid_point sets CHARGE to the charge of all samples of a point. It returns false if
   the samples are charged to their own address. */
size_t skid_point_count(const struct skid *skid);
bool skid_point(const struct skid *skid, size_t number, uint32_t *module,
                struct skid_charge *charge);

#endif
