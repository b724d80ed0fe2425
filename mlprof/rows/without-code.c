/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/rows/without-code.h"

/* Marks the sources that have a point in the function.  */
static void find_in(struct stacks *stacks, const struct function *function)
{
    const struct unit_source *last = NULL;
    for (size_t i = 0; i < function->entry_count; i++) {
        const struct function_entry *entry = &function->entries[i];
        uint64_t end = i + 1 < function->entry_count ? entry[1].offset : function->size;
        const struct unit_source *source =
            end > entry->offset ? function_innermost(function, entry->point) : NULL;
        if (!source || source == last)
            continue;
        last = source;
        uint32_t number = stacks_unit_source(stacks, function->unit, source);
        stacks->trusts[number].coded = true;
    }
}

void without_code_find(struct stacks *stacks, const struct program *program)
{
    for (size_t i = 0; i < program->count; i++)
        for (uint32_t j = 0;
             program->tables[i] && j < tables_function_count(program->tables[i]); j++)
            find_in(stacks, tables_function(program->tables[i], j));
}
