/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the bytes of machine code in an executable or shared object with libelf. Used by
   the decoders insns.c and events.c. */

#ifndef MLPROF_ELFCODE_H
#define MLPROF_ELFCODE_H

#include <stddef.h>
#include <stdint.h>

struct elfcode;

/* Opens a file. Returns NULL if the file is missing or is not a little-endian ELF file of
   64 bits. */
struct elfcode *elfcode_open(const char *path);

/* Closes CODE, which may be NULL. */
void elfcode_close(struct elfcode *code);

/* Returns the processor: EM_* of ELF. */
unsigned elfcode_machine(const struct elfcode *code);

/* Returns the size of the file in bytes. */
uint64_t elfcode_file_size(const struct elfcode *code);

/* Returns the bytes of the code from START to *END. If the section ends earlier, sets
   *END to the end of the section. Returns NULL if the file does not have the bytes. The
   bytes are valid until CODE is closed. */
const uint8_t *elfcode_bytes(const struct elfcode *code, uint64_t start, uint64_t *end);

#endif
