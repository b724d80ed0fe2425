/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/elf/symbols.h"
#include "mlprof/elf/insns.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/elf/events.h"
#include "testsuite/fuzz/memory.h"
#include "testsuite/fuzz/targets.h"
#include "testsuite/fuzz/use.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// No name is longer; so each is read to its end.
#define MOST_NAME ((size_t)1 << 30)

static void use_events(const char *path)
{
    struct elffile *events = events_open(path);
    if (!events)
        return;
    for (uint64_t start = 0; start < 0x2000; start += 0x800) {
        struct events_code code = events_read(events, start, start + 0x800);
        for (size_t i = 0; i < code.count; i++) {
            const struct events_insn *insn = &code.list[i];
            assert(insn->size > 0 && insn->address >= start);
            assert(insn->address + insn->size <= start + 0x800);
            assert(i == 0 || insn[-1].address + insn[-1].size == insn->address);
        }
        free(code.list);
    }
    elffile_close(events);
}

/* Without its tables it is a shared object like any other. */
static void use_bare(const char *path)
{
    struct fault fault = {0};
    struct tables *bare = tables_open_bare(path, &fault);
    assert((bare != NULL) == (fault.kind == FAULT_NONE));
    fault_clear(&fault);
    if (!bare)
        return;
    const char *build_id = tables_build_id(bare), *name;
    struct symbols *symbols = symbols_read(path, build_id, true);
    struct bindings *bindings = bindings_read(path, build_id);
    struct insns *insns = insns_open(path);
    for (uint64_t address = 0; address < 0x5000; address += 8) {
        uint64_t to;
        if ((name = symbols_find(symbols, address, NULL)) != NULL) {
            assert(strlen(name) < MOST_NAME);
            bindings_export(bindings, name, &to);
        }
        if (bindings_slot(bindings, address, &name, &to) == BINDINGS_SYMBOL)
            assert(strlen(name) < MOST_NAME);
    }
    if (insns)
        for (uint64_t start = 0; start < 0x2000; start += 0x800) {
            struct insns_code code = insns_read(insns, start, start + 0x800);
            for (size_t i = 1; i < code.count; i++)
                assert(code.list[i - 1].address < code.list[i].address);
            free(code.list);
        }
    insns_close(insns);
    use_events(path);
    bindings_free(bindings);
    symbols_free(symbols);
    tables_close(bare);
}

bool targets_elf(const unsigned char *bytes, size_t size)
{
    struct fault fault = {0};
    struct memory_file file = memory_open(bytes, size);
    struct tables *tables = tables_open(file.path, &fault);
    assert((tables != NULL) == (fault.kind == FAULT_NONE));
    assert(tables || strncmp(fault.text, file.path, strlen(file.path)) == 0);
    fault_clear(&fault);
    use_tables(tables);
    use_bare(file.path);
    memory_close(&file);
    return tables != NULL;
}
