/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/program/code-names.h"
#include "mlprof/base/buf.h"
#include "mlprof/elf/bindings.h"
#include "mlprof/elf/debugfile.h"
#include "mlprof/elf/symbols.h"

#include <stdlib.h>

struct code_names {
    const struct program *program;
    struct machine_code *code;
    struct symbols **symbols; /* by module; NULL: not read yet */
    struct bindings **bindings;
};

struct code_names *code_names_new(const struct program *program,
                                  struct machine_code *code)
{
    struct code_names *names = buf_alloc(sizeof *names);
    *names = (struct code_names){
        .program = program,
        .code = code,
        .symbols = buf_alloc((program->count + 1) * sizeof *names->symbols),
        .bindings = buf_alloc((program->count + 1) * sizeof *names->bindings)};
    return names;
}

void code_names_free(struct code_names *names)
{
    for (size_t i = 0; names && i < names->program->count; i++) {
        symbols_free(names->symbols[i]);
        bindings_free(names->bindings[i]);
    }
    if (names) {
        free(names->symbols);
        free(names->bindings);
    }
    free(names);
}

const char *code_names_at(struct code_names *names, uint32_t module, uint64_t address)
{
    struct tables *tables = names->program->tables[module];
    struct symbols **symbols = &names->symbols[module];
    if (!*symbols)
        *symbols =
            symbols_read(tables_path(tables), tables_build_id(tables), DEBUGFILE_ROOT);
    return symbols_find(*symbols, address);
}

/* The symbol to which the dynamic linker binds the word at SLOT; NULL: unknown.  */
static const char *bound_to(struct code_names *names, uint32_t module, uint64_t slot)
{
    struct tables *tables = names->program->tables[module];
    struct bindings **bindings = &names->bindings[module];
    const char *name = NULL;
    uint64_t address;
    if (!*bindings)
        *bindings = bindings_read(tables_path(tables), tables_build_id(tables));
    return bindings_slot(*bindings, slot, &name, &address) == BINDINGS_SYMBOL ? name
                                                                              : NULL;
}

/* An entry of the procedure linkage table has two instructions, the second of which jumps
   through a slot.  */
char *code_names_target(struct code_names *names, uint32_t module,
                        const struct insn *insn)
{
    const char *name = insn->slot ? bound_to(names, module, insn->slot) : NULL;
    if (!name && insn->target)
        name = code_names_at(names, module, insn->target);
    if (name || !insn->target)
        return name ? buf_copy(name) : NULL;
    struct insns_code entry =
        machine_code_read(names->code, module, insn->target, insn->target + 16);
    for (size_t i = 0; !name && i < entry.count && i < 2; i++)
        if (entry.list[i].slot)
            name = bound_to(names, module, entry.list[i].slot);
    free(entry.list);
    return name ? buf_format("%s@plt", name) : NULL;
}
