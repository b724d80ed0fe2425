/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what the compilations were asked for (doc/tables.md, "Asked"), for tables.c,
   advice.c and allocview.c: patterns that mean functions, excluded functions that
   allocate, and whether the second half of an LTO compilation had the plugin.  */

#ifndef MLPROF_ASKED_H
#define MLPROF_ASKED_H

#include "mlprof/base/intern.h"
#include "mlprof/elf/elffile.h"

/* Starts as all zero.  */
struct asked {
    struct intern patterns; /* NAME=PATTERN */
    struct intern met;      /* the patterns that mean a function of some unit */
    struct intern lacks;    /* excluded functions that allocate, by name */
    bool lto;               /* at least one unit was compiled for LTO */
    bool linked; /* some code was made with the plugin, at the link or before */
};

/* Adds what FILE was asked for.  */
void asked_read(struct asked *asked, const struct elffile *file);

/* Units for LTO were compiled with the plugin but linked without it.  */
bool asked_is_unlinked(const struct asked *asked);

/* Whether pattern NUMBER means no function.  */
bool asked_is_missed(const struct asked *asked, uint32_t number);

void asked_free(struct asked *asked);

#endif
