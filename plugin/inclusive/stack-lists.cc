// SPDX-License-Identifier: GPL-3.0-or-later
// Local stacks as lists of pairs, a tree for each function.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/recursion.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/scopes.h"
#include "plugin/inclusive/stack-inside.h"

struct stack_list stack_list_any;

static struct stack_list *outermost; // the lists of one source

static bool contains(const struct stack_list *list, unsigned pair)
{
    for (; list; list = list->around)
        if (list->pair == pair)
            return true;
    return false;
}

struct stack_list *stack_list_within(struct stack_list *around, tree function)
{
    struct stack_list **first = around ? &around->inner : &outermost;
    int pair = function ? stack_pair(function) : -1;

    if (pair < 0 || stack_list_depth(around) == CCPROF_STACK_ENTRIES ||
        (!options.trace && contains(around, pair)))
        return around;
    for (struct stack_list *list = *first; list; list = list->next)
        if (list->pair == (unsigned)pair)
            return list;
    struct stack_list *list = XCNEW(struct stack_list);
    *list = {around,
             NULL,
             *first,
             (unsigned)pair,
             stack_list_depth(around) + 1,
             recursion_is_impossible(function)};
    return *first = list;
}

struct stack_list *stack_list_of(tree scope)
{
    auto_vec<tree> scopes;
    struct stack_list *list = NULL;

    if (options.mark != OPTIONS_MARK_SOURCE || !scope)
        return stack_list_within(NULL, DECL_ORIGIN(current_function_decl));
    for (; scope; scope = scopes_parent(scope))
        scopes.safe_push(scope);
    while (!scopes.is_empty())
        list = stack_list_within(list, scopes_function(scopes.pop()));
    return list;
}

struct stack_list *stack_list_common(struct stack_list *a, struct stack_list *b)
{
    if (a == &stack_list_any)
        return b;
    if (b == &stack_list_any)
        return a;
    while (a != b)
        if (stack_list_depth(a) > stack_list_depth(b))
            a = a->around;
        else
            b = b->around;
    return a;
}

static void free_lists(struct stack_list *list)
{
    while (list) {
        struct stack_list *next = list->next;
        free_lists(list->inner);
        free(list);
        list = next;
    }
}

void stack_lists_end(void)
{
    free_lists(outermost);
    outermost = NULL;
}
