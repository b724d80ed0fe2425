// SPDX-License-Identifier: GPL-3.0-or-later
// A library that calls back, and what else the programs of callbacks are made of.

#ifndef TESTSUITE_OUTSIDE_H
#define TESTSUITE_OUTSIDE_H

#include "kernel.h"

// Of what X points to it gives the next value.
typedef uint64_t outside_callback(const void *x);

extern double outside_spent; // seconds of CPU time in outside itself

uint64_t outside(uint64_t x, long turns, outside_callback *callback);

// Of callback-elsewhere.c.
extern double elsewhere_spent;
outside_callback callback_elsewhere;

#endif
