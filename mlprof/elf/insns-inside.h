/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files insns*.c. */

#ifndef MLPROF_INSNS_INSIDE_H
#define MLPROF_INSNS_INSIDE_H

#include "mlprof/elf/elffile.h"
#include "mlprof/elf/insns.h"

#include <Zydis/Zydis.h>

struct insns {
    struct elffile *file;
    ZydisDecoder decoder;
    uint8_t cycles[ZYDIS_MNEMONIC_MAX_VALUE +
                   1]; /* latency of each mnemonic; 0: not yet computed */
};

#endif
