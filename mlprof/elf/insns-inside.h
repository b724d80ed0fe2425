/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files insns*.c: the file whose code is read, and the decoder.  */

#ifndef MLPROF_INSNS_INSIDE_H
#define MLPROF_INSNS_INSIDE_H

#include "mlprof/elf/insns.h"

#include <Zydis/Zydis.h>
#include <gelf.h>

/* A section with code.  The content lives as long as the file is open.  */
struct insns_section {
    uint64_t address, size;
    const uint8_t *bytes; /* NULL: the file does not have all the bytes */
};

struct insns {
    int descriptor;
    Elf *elf;
    struct insns_section *sections;
    size_t section_count, section_capacity;
    ZydisDecoder decoder;
    struct insn *list; /* the instructions that were read last */
    size_t capacity;
    uint8_t cycles[ZYDIS_MNEMONIC_MAX_VALUE + 1]; /* by mnemonic; 0: not looked up */
};

/* The bytes of the code from START to *END, or to the end of the section, to which *END
   is set.  NULL if the file does not have them.  */
const uint8_t *insns_bytes(const struct insns *insns, uint64_t start, uint64_t *end);

#endif
