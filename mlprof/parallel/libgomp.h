/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Knows GCC's library of OpenMP by its code: which addresses are in it, where its calls
   lead, and which of them wait at the end of a construct.  For the files
   constructs*.c.  */

#ifndef MLPROF_LIBGOMP_H
#define MLPROF_LIBGOMP_H

#include "mlprof/profile/profile.h"
#include "mlprof/program/program.h"

struct libgomp;

/* PROFILE and PROGRAM must live as long.  */
struct libgomp *libgomp_new(const struct profile *profile, const struct program *program);

/* LIBRARY may be NULL.  */
void libgomp_free(struct libgomp *library);

/* Whether a point of the profile, which has no tables, is the library's: of libgomp.so,
   or by its symbol in an executable that was linked with libgomp.a.  */
bool libgomp_has(struct libgomp *library, const struct profile_node *node);

/* Whether a point of the library is in one of the functions that run a parallel
   construct, GOMP_parallel for example, by its symbol.  */
bool libgomp_runs_parallel(struct libgomp *library, const struct profile_node *node);

/* Whether a point of the library is in a function of another name; those that a function
   of the library has jumped to have none.  */
bool libgomp_does_other(struct libgomp *library, const struct profile_node *node);

/* Tells that the library's call at a point runs the functions of constructs in a thread
   that it made.  What it calls next waits for the other threads (GCC: libgomp/team.c,
   gomp_thread_start).  */
void libgomp_learn(struct libgomp *library, const struct profile_node *node);

/* Something was learnt: the library's file is there, and for a known processor.  */
bool libgomp_has_learnt(const struct libgomp *library);

/* The library's call at a point waits at the end of a construct: it leads where those
   that were learnt do.  */
bool libgomp_ends(struct libgomp *library, const struct profile_node *node);

#endif
