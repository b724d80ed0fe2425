/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names the functions outside of profiled code, by the symbols of the modules.  */

#ifndef MLPROF_OUTSIDE_H
#define MLPROF_OUTSIDE_H

#include "mlprof/profile/profile.h"

struct outside;

/* EXECUTABLE is the path of module 0, DEBUG_ROOT the folder of debug files.  All
   arguments must live as long as the result, which outside_free frees.  */
struct outside *outside_new(const struct profile *profile, const char *executable,
                            const char *debug_root);

/* OUTSIDE may be NULL.  */
void outside_free(struct outside *outside);

/* The symbol around ADDRESS, or NULL if it is not known.  Lives as long as OUTSIDE.  */
const char *outside_symbol(struct outside *outside, uint32_t module, uint64_t address);

/* The name of the code at ADDRESS, to be freed: <SYMBOL>; or <FILE>, the module's, if
   there is no symbol; or <unknown> outside of all modules.  */
char *outside_name(struct outside *outside, uint32_t module, uint64_t address);

#endif
