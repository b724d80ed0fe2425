/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the words that the files of gcov and AutoFDO are made of, the low byte first
   (GCC: gcov-io.h), for gcda.c and afdo.c.  */

#ifndef MLPROF_GCOVWORDS_H
#define MLPROF_GCOVWORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void gcovwords_word(FILE *out, uint32_t word);

/* Two words, the low one first.  */
void gcovwords_counter(FILE *out, uint64_t count);

/* The head of a record of counters, fewer than 2^28.  If all are ZEROS, which are not
   written, it has their negative length.  */
void gcovwords_tag(FILE *out, uint32_t tag, size_t counters, bool zeros);

#endif
