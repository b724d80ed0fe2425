/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charges samples to the instruction that the program waited for.  A sample has the
   address of the instruction to be executed next.  The charge goes to the instruction
   that has just ended; if two instructions ended together, to the first of them; and only
   where the machine code says which instruction it was.  Also tells which charges are
   uncertain (doc/how-it-works.md, "Skid").  */

#ifndef MLPROF_SKID_H
#define MLPROF_SKID_H

#include "mlprof/program/program.h"

/* An instruction.  */
struct skid_place {
    uint64_t address; /* as in the file; 0: there is no instruction */
    struct tables_point at;
};

/* How the samples at a point are charged.  */
struct skid_charge {
    struct skid_place places[2]; /* the second place may be empty */
    uint64_t count[2];
    /* If the place is a call: where the called function returned from.  May be empty.  */
    struct skid_place returned[2];
    /* Samples that are charged to one place may belong to the other.  */
    bool uncertain;
    size_t point; /* number of the point (skid_point) */
};

struct skid;

/* Finds out how the samples of PROFILE are charged.  To be called after functions were
   taken out of the tables (names.h), which count as excluded.  PROFILE and PROGRAM,
   whose machine code is read, must live as long as the result.  */
struct skid *skid_new(const struct profile *profile, const struct program *program);

/* SKID may be NULL.  */
void skid_free(struct skid *skid);

/* Fills CHARGE for the samples at a node of the profile; to be called once for each node.
   Returns false if there are no samples, or if they stay where they were taken.  */
bool skid_find(struct skid *skid, size_t node, struct skid_charge *charge);

/* Numbers of samples in profiled code. skid_read: those whose machine code was read.  The
   others stay where they were taken, since the file is gone, since it lacks the code, or
   since the processor is not known.  */
uint64_t skid_read(const struct skid *skid);
uint64_t skid_unread(const struct skid *skid);

/* The points with samples are numbered from 0, in the order of addresses in each module.
   skid_point sets CHARGE to the charge of all samples of a point, and returns false if
   they stay where they were taken.  */
size_t skid_point_count(const struct skid *skid);
bool skid_point(const struct skid *skid, size_t number, uint32_t *module,
                struct skid_charge *charge);

#endif
