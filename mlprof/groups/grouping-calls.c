/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the MPI call around a node. */

#include "mlprof/base/buf.h"
#include "mlprof/groups/grouping-inside.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Returns the C name, in angle brackets, of the MPI function that is called NAME, or
   NULL if it is not an MPI function. The caller frees it. C programs call MPI_Send
   or, by its second name (MPI 4.0, 15.2), PMPI_Send. Fortran programs call mpi_send_,
   mpi_send__, mpi_send_f08_, or with MPICH mpi_send_f08ts_ and mpi_send_f08ts_large_. */
static char *mpi_name(const char *name)
{
    static const char prefix[] = "MPI_";
    static const char *const endings[] = {"_large", "_f08ts", "_f08"};
    if (*name++ != '<')
        return NULL;
    name += *name == 'P' || *name == 'p';
    if (strncasecmp(name, prefix, strlen(prefix)) != 0 || !isalpha(name[strlen(prefix)]))
        return NULL;
    bool fortran = *name == 'm';
    char *call = buf_copy_prefix(name, strlen(name) - 1);
    size_t length = strlen(call);
    if (!fortran)
        return call;
    memcpy(call, prefix, strlen(prefix));
    call[strlen(prefix)] = (char)toupper(call[strlen(prefix)]);
    while (length && call[length - 1] == '_')
        call[--length] = '\0';
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t tail = strlen(endings[i]);
        if (length > tail && strcmp(call + length - tail, endings[i]) == 0)
            call[length -= tail] = '\0';
    }
    return call;
}

/* Returns the group of CALL, an MPI call in NODE. The group is determined by the call
   and its caller. */
static uint32_t put_call(struct grouping_builder *build, const struct stacks_node *node,
                         const char *call)
{
    const struct stacks *stacks = &build->request->rows->stacks;
    uint32_t caller = node->parent;
    while (caller != STACKS_NONE &&
           stacks->copies.list[stacks->nodes.list[caller].copy].module == STACKS_NONE)
        caller = stacks->nodes.list[caller].parent;
    struct grouping_group new_group = grouping_none;
    new_group.call = new_group.named = true;
    new_group.path = intern_put(&build->keys.paths, call);
    if (caller != STACKS_NONE) {
        const struct stacks_position *position =
            &stacks->positions.list[stacks->nodes.list[caller].position];
        new_group.source = stacks_source_of(stacks, caller);
        new_group.file = position->file;
        new_group.line = position->line;
    }
    return grouping_put_group(&build->keys, new_group.path, new_group.source,
                              new_group.line, &new_group);
}

uint32_t grouping_mpi_of(struct grouping_builder *build, uint32_t number)
{
    const struct stacks *stacks = &build->request->rows->stacks;
    const struct stacks_node *node = &stacks->nodes.list[number];
    uint32_t outer =
        node->parent == STACKS_NONE ? GROUPING_NONE : build->by_node[node->parent];
    if (outer != GROUPING_NONE && build->keys.groups[outer].call)
        return outer;
    BUF_OWN char *call =
        stacks->copies.list[node->copy].module == STACKS_NONE
            ? mpi_name(stacks->sources.list[stacks_source_of(stacks, number)].name)
            : NULL;
    return call ? put_call(build, node, call) : grouping_put_nowhere(&build->keys, false);
}
