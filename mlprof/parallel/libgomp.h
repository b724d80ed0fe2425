/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognizes the code of libgomp, GCC's library of OpenMP, for the files constructs*.c:
   which addresses are in it, where its calls lead, and which of them wait at the end of a
   construct.  */

#ifndef MLPROF_LIBGOMP_H
#define MLPROF_LIBGOMP_H

#include "mlprof/profile/profile.h"
#include "mlprof/program/program.h"

struct libgomp;

/* PROFILE and PROGRAM must live as long as the result.  */
struct libgomp *libgomp_new(const struct profile *profile, const struct program *program);

/* LIBRARY may be NULL.  */
void libgomp_free(struct libgomp *library);

/* Whether a point of the profile that has no tables is in the library: in libgomp.so or,
   if the executable was linked with libgomp.a, in a function that has a symbol of
   libgomp.  */
bool libgomp_has(struct libgomp *library, const struct profile_node *node);

/* Whether a point of the library is in a function that runs a parallel construct, for
   example GOMP_parallel, by its symbol.  */
bool libgomp_runs_parallel(struct libgomp *library, const struct profile_node *node);

/* Whether a point of the library is in a function with another symbol.  Functions to
   which the library has jumped have no symbol.  */
bool libgomp_does_other(struct libgomp *library, const struct profile_node *node);

/* Tells LIBRARY that the call at a point runs the functions of constructs in a thread
   that libgomp made.  The next call behind it waits for the other threads (GCC:
   libgomp/team.c, gomp_thread_start), and LIBRARY learns where it leads.  */
void libgomp_learn(struct libgomp *library, const struct profile_node *node);

/* Whether anything was learnt: not unless the library's file is there, and for a known
   processor.  */
bool libgomp_has_learnt(const struct libgomp *library);

/* Whether the library's call at a point waits at the end of a construct: it leads to an
   address that was learnt.  */
bool libgomp_ends(struct libgomp *library, const struct profile_node *node);

#endif
