/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the local stacks at given addresses. main.c calls it. */

#ifndef MLPROF_WHERE_H
#define MLPROF_WHERE_H

#include "mlprof/tables/tables.h"

#include <stdio.h>

/* Prints the local stack at ADDRESS as one line. Unless LONG_NAME, prints only the
   last component of each name. */
void where_print(FILE *out, struct tables *tables, uint64_t address, bool long_name);

/* Reads TEXT, hexadecimal digits with or without 0x. Returns false if TEXT is not an
   address. */
bool where_address(const char *text, uint64_t *address);

/* Reads addresses from IN, and prints the local stack of each one as
   soon as its line is complete. If a word is not an address, returns false and sets
   FAULT. */
bool where_stream(FILE *out, struct tables *tables, FILE *in, bool long_name,
                  struct fault *fault);

#endif
