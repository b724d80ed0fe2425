// SPDX-License-Identifier: GPL-3.0-or-later
// What units.c runs: a program whose work comes in units that any thread can do.

#ifndef UNITS_H
#define UNITS_H

#ifdef __cplusplus
extern "C" {
#endif

enum { UNITS = 8 };

// Does unit NUMBER, below UNITS, and says whether all that came out is right: 1 or 0.
int unit_is_right(int number);

#ifdef __cplusplus
}
#endif

#endif
