/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the local stacks at single addresses.  */

#ifndef MLPROF_WHERE_H
#define MLPROF_WHERE_H

#include "mlprof/tables/tables.h"

#include <stdio.h>

/* Prints the local stack at ADDRESS as one line.  LONG_NAME false: only the last
   component of each name.  */
void where_print(FILE *out, struct tables *tables, uint64_t address, bool long_name);

/* Reads TEXT, hexadecimal digits with or without 0x; false if it is none.  */
bool where_address(const char *text, uint64_t *address);

/* Answers each word that the descriptor IN has, as soon as its line is complete.  False
   and FAULT if a word is no address.  */
bool where_stream(FILE *out, struct tables *tables, int in, bool long_name,
                  struct fault *fault);

#endif
