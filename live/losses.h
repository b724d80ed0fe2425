/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports profiles that never reach the server: each one, and their sum at the end. */

#ifndef LIVE_LOSSES_H
#define LIVE_LOSSES_H

#include <stddef.h>
#include <stdint.h>

/* Prints that the profile of the time from START to END, in nanoseconds since 1970, is
   lost, and WHY. */
void losses_add(uint64_t start, uint64_t end, const char *why);

/* Prints the sum of the losses, if there are any. Returns their number. */
size_t losses_finish(void);

#endif
