/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the decoder for the file's processor: events-x86_64.c, events-aarch64.c or
   events-riscv64.c. A new processor is added to the list in this file. */

#include "mlprof/elf/events.h"
#include "mlprof/base/buf.h"
#include "mlprof/elf/events-inside.h"

#include <stdlib.h>

static const struct events_processor *processor_of(const struct elffile *file)
{
    static const struct events_processor *const all[] = {&events_x86_64, &events_aarch64,
                                                         &events_riscv64};
    for (size_t i = 0; file->is_64 && !file->big_endian && i < sizeof all / sizeof *all;
         i++)
        if (all[i]->machine == file->machine)
            return all[i];
    return NULL;
}

struct elffile *events_open(const char *path)
{
    struct elffile *file = elffile_try(path);
    if (file && processor_of(file))
        return file;
    elffile_close(file);
    return NULL;
}

struct events_code events_read(const struct elffile *file, uint64_t start, uint64_t end)
{
    const struct events_processor *processor = processor_of(file);
    struct events_code code = {0};
    size_t capacity = 0;
    const uint8_t *bytes = end > start ? elffile_code(file, start, &end) : NULL;
    for (uint64_t address = start; bytes && address < end;) {
        struct events_insn insn = {.address = address};
        size_t rest = (size_t)(end - address);
        if (!processor->decode(bytes + (address - start), rest, &insn)) {
            unsigned skipped = insn.size ? insn.size : processor->unit;
            insn = (struct events_insn){.address = address, .unknown = true};
            insn.size = (uint8_t)(rest < skipped ? rest : skipped);
        }
        BUF_NEXT(code.list, code.count, capacity) = insn;
        address += insn.size;
    }
    return code;
}

bool events_ends_far(const struct events_code *code)
{
    if (code->count < 2)
        return false;
    const struct events_insn *jump = &code->list[code->count - 1], *condition = jump - 1;
    return condition->conditional && condition->target == jump->address + jump->size &&
           jump->branch && jump->target && !jump->conditional && !jump->call;
}
