/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one compilation knows by number: strings, files and sources.  Filled while
   functions are labelled, written once at the end.  Knows nothing of GCC.  */

#ifndef CCPROF_UNIT_H
#define CCPROF_UNIT_H

#include "intern.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unit_source {
    unsigned name; /* a string */
    unsigned file; /* a file, 0: unknown */
    unsigned line; /* where the source starts, 0: unknown */
};

struct unit {
    struct intern strings;
    struct intern files;   /* the number of a string */
    struct intern sources; /* struct unit_source */
};

/* Numbers from 1.  The names are copied.  */
unsigned unit_file(struct unit *unit, const char *name);
unsigned unit_source(struct unit *unit, const char *name, unsigned file, unsigned line);

const struct unit_source *unit_get_source(const struct unit *unit, unsigned source);
unsigned unit_get_file(const struct unit *unit, unsigned file);
const char *unit_get_string(const struct unit *unit, unsigned string);

#ifdef __cplusplus
}
#endif

#endif
