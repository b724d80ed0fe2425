/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charges samples to the instruction that the program waited for.  The address of a
   sample is that of the instruction to be executed next; the one that has just ended is
   charged, or the one before if both ended together, and only where the machine code says
   which one that was.  Tells what is uncertain (doc/how-it-works.md, "Skid").  */

#ifndef MLPROF_SKID_H
#define MLPROF_SKID_H

#include "mlprof/program/program.h"

/* An instruction.  */
struct skid_place {
    uint64_t address; /* as in the file; 0: none */
    struct tables_point at;
};

/* How the samples at a point are charged.  */
struct skid_charge {
    struct skid_place places[2]; /* the second may be none */
    uint64_t count[2];
    struct skid_place returned[2]; /* it is a call, and this is where the function that it
                                      has called came back from; may be none */
    bool uncertain;                /* samples of one may be the other's */
    size_t point;                  /* its number, see skid_point */
};

struct skid;

/* Finds out how the samples of PROFILE are charged, after functions were taken out of the
   tables (unprofile.h): as if they had been excluded.  PROFILE and PROGRAM, whose machine
   code is read, must live as long.  */
struct skid *skid_new(const struct profile *profile, const struct program *program);

/* SKID may be NULL.  */
void skid_free(struct skid *skid);

/* For the samples at a node of the profile; to be asked once for each.  False: they are
   to be left there, or there are none.  */
bool skid_find(struct skid *skid, size_t node, struct skid_charge *charge);

/* Samples in profiled code: those whose machine code was read, and those
   that were left where they are since the file is gone, without that code, or of a
   processor of which nothing is known.  */
uint64_t skid_read(const struct skid *skid);
uint64_t skid_unread(const struct skid *skid);

/* The points with samples are numbered from 0, in the order of addresses in each module.
   CHARGE is how all samples of one are charged; false if they are left there.  */
size_t skid_point_count(const struct skid *skid);
bool skid_point(const struct skid *skid, size_t number, uint32_t *module,
                struct skid_charge *charge);

#endif
