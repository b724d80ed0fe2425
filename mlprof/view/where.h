/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the local stacks at single addresses.  */

#ifndef MLPROF_WHERE_H
#define MLPROF_WHERE_H

#include "mlprof/tables/tables.h"

#include <stdio.h>

/* Prints the local stack at ADDRESS as one line.  LONG_NAME false: only the last
   component of each name.  */
void where_print(FILE *out, struct tables *tables, uint64_t address, bool long_name);

/* Reads TEXT, hexadecimal digits with or without 0x; false if it is not that.  */
bool where_address(const char *text, uint64_t *address);

/* Answers each word of the descriptor IN as soon as its line has come.  False and FAULT
   if one is not an address.  */
bool where_stream(FILE *out, struct tables *tables, int in, bool long_name,
                  struct fault *fault);

#endif
