// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/callers.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/scopes.h"
#include "plugin/inclusive/inclusive-lists.h"
#include "plugin/inclusive/inclusive-pairs.h"
#include "rt/format.h"

struct inclusive_list inclusive_list_any;

static struct inclusive_list *outermost; // the current function's lists of one source

struct inclusive_list *inclusive_list_within(struct inclusive_list *around, tree function)
{
    struct inclusive_list **first = around ? &around->inner : &outermost;
    int pair = function ? inclusive_pair(function) : -1;

    if (pair < 0 || inclusive_list_depth(around) == CCPROF_STACK_ENTRIES)
        return around;
    if (!options.trace)
        for (const struct inclusive_list *list = around; list; list = list->around)
            if (list->pair == (unsigned)pair)
                return around;
    for (struct inclusive_list *list = *first; list; list = list->next)
        if (list->pair == (unsigned)pair)
            return list;
    struct inclusive_list *list = XCNEW(struct inclusive_list);
    *list = {around,
             NULL,
             *first,
             (unsigned)pair,
             inclusive_list_depth(around) + 1,
             recursion_is_impossible(function)};
    return *first = list;
}

struct inclusive_list *inclusive_list_of(tree scope)
{
    auto_vec<tree> scopes;
    struct inclusive_list *list = NULL;

    if (options.mark != OPTIONS_MARK_SOURCE || !scope)
        return inclusive_list_within(NULL, DECL_ORIGIN(current_function_decl));
    for (; scope; scope = scopes_parent(scope))
        scopes.safe_push(scope);
    while (!scopes.is_empty())
        list = inclusive_list_within(list, scopes_function(scopes.pop()));
    return list;
}

struct inclusive_list *inclusive_list_common(struct inclusive_list *a,
                                             struct inclusive_list *b)
{
    if (a == &inclusive_list_any)
        return b;
    if (b == &inclusive_list_any)
        return a;
    while (a != b)
        if (inclusive_list_depth(a) > inclusive_list_depth(b))
            a = a->around;
        else
            b = b->around;
    return a;
}

static void free_lists(struct inclusive_list *list)
{
    while (list) {
        struct inclusive_list *next = list->next;
        free_lists(list->inner);
        free(list);
        list = next;
    }
}

void inclusive_lists_end(void)
{
    free_lists(outermost);
    outermost = NULL;
}
