/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names what lies outside of profiled code, by the symbols of the modules.  */

#ifndef MLPROF_OUTSIDE_H
#define MLPROF_OUTSIDE_H

#include "mlprof/profile/profile.h"

struct outside;

/* EXECUTABLE is where module 0 is, DEBUG_ROOT where debug files are looked for; all
   arguments live as long as the result, which outside_free frees.  */
struct outside *outside_new(const struct profile *profile, const char *executable,
                            const char *debug_root);

/* OUTSIDE may be NULL.  */
void outside_free(struct outside *outside);

/* The symbol that ADDRESS belongs to; NULL: not known.  Lives as long as OUTSIDE.  */
const char *outside_symbol(struct outside *outside, uint32_t module, uint64_t address);

/* <NAME> of the symbol that ADDRESS belongs to, <FILE> of a module that has none there,
   <unknown> in no module; to be freed.  */
char *outside_name(struct outside *outside, uint32_t module, uint64_t address);

#endif
