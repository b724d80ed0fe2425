/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluates a profile with tables and prints every view but the listing, which would open
   files of any name; for the targets of fuzzing and the unit tests. Ends the program if
   what comes out contradicts itself. */

#ifndef TESTSUITE_FUZZ_USE_H
#define TESTSUITE_FUZZ_USE_H

#include "mlprof/profile/profile.h"
#include "mlprof/tables/tables.h"

/* How often something was used, each time in four evaluations, and how many of these
   succeeded. */
extern unsigned use_taken, use_evaluated;

/* TABLES are module 0 of PROFILE. */
void use_all(struct tables *tables, const struct profile *profile);

/* The same with samples, calls and targets at addresses that TABLES know. Closes TABLES,
   which may be NULL. */
void use_tables(struct tables *tables);

#endif
