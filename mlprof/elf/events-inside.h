/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One decoder for each processor. Only for events*.c. */

#ifndef MLPROF_EVENTS_INSIDE_H
#define MLPROF_EVENTS_INSIDE_H

#include "mlprof/elf/events.h"

struct events_processor {
    unsigned machine; /* EM_* of ELF */
    unsigned unit;    /* smallest size of an instruction, in bytes */
    /* Decodes the first instruction of BYTES. SIZE is the number of bytes, at least 1.
       INSN has the address; all other members are zero. Returns whether the bytes are an
       instruction, and sets its size and its events. If the bytes are not an instruction,
       the size may be set to the number of bytes to skip. */
    bool (*decode)(const uint8_t *bytes, size_t size, struct events_insn *insn);
};

extern const struct events_processor events_x86_64, events_aarch64, events_riscv64;

/* Adds COUNT accesses to INSN, each with SIZE bytes. */
static inline void events_add_loads(struct events_insn *insn, unsigned count,
                                    unsigned size)
{
    insn->loads = (uint8_t)(insn->loads + count);
    insn->load_bytes = (uint16_t)(insn->load_bytes + count * size);
}

static inline void events_add_stores(struct events_insn *insn, unsigned count,
                                     unsigned size)
{
    insn->stores = (uint8_t)(insn->stores + count);
    insn->store_bytes = (uint16_t)(insn->store_bytes + count * size);
}

static inline void events_add_accesses(struct events_insn *insn, bool load,
                                       unsigned count, unsigned size)
{
    if (load)
        events_add_loads(insn, count, size);
    else
        events_add_stores(insn, count, size);
}

#endif
