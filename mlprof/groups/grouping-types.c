/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the types of blocks of memory.  The tables tell for a call at a position in a
   source which type its blocks have, or that the function returns its result: then the
   call around it knows the type (doc/tables.md, "Types of blocks").  */

#include "mlprof/base/text.h"
#include "mlprof/groups/grouping-inside.h"
#include "mlprof/names/readable.h"

#include <stdlib.h>

void grouping_find_types(struct grouping_builder *build)
{
    build->types = blockcalls_new(build->asked->program, &build->asked->rows->stacks);
}

/* The name of a type in the style; to be freed.  Arguments are never left out, since
   types with the same text are added up.  */
static char *name_of(const char *type, const struct names_style *names)
{
    char *clean = text_clean(type);
    if (names->form != NAMES_READABLE)
        return clean;
    char *text = readable(clean, 0);
    free(clean);
    return text;
}

static uint32_t put_type(struct grouping_builder *build, const char *type)
{
    char *name = name_of(type, build->asked->names);
    uint32_t group = grouping_put_type(&build->keys, name);
    free(name);
    return group;
}

uint32_t grouping_type_of(struct grouping_builder *build, uint32_t number)
{
    const struct stacks *stacks = &build->asked->rows->stacks;
    const char *none = STACKS_UNPROFILED;
    if (stacks->skipped_types && stacks->skipped_types[number])
        return put_type(build, stacks->skipped_types[number]);
    for (uint32_t at = number; at != STACKS_NONE; at = stacks->nodes[at].parent) {
        if (stacks->copies[stacks->nodes[at].copy].module == STACKS_NONE)
            continue;
        struct blockcalls_said said = blockcalls_at(build->types, stacks, at);
        if (said.type)
            return put_type(build, said.type);
        none = GROUPING_UNKNOWN_TYPE;
        if (!said.returned)
            break;
    }
    return grouping_put_type(&build->keys, none);
}

void grouping_free_types(struct grouping_builder *build)
{
    blockcalls_free(build->types);
    build->types = NULL;
}
