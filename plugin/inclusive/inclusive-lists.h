/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inclusive-lists: keeps local stacks as lists of pairs (inclusive-pairs.h), for the
   files of plugin/inclusive.  The module owns the lists of the current function, until
   inclusive_lists_end.  They are a tree in which each list knows the one around it, and
   equal lists are one: so two local stacks are the same if their addresses are.  NULL is
   the empty one.  */

#ifndef CCPROF_INCLUSIVE_LISTS_H
#define CCPROF_INCLUSIVE_LISTS_H

/* The sources of a local stack, each once: its innermost one, and the list of those
   around it.  */
struct inclusive_list {
    struct inclusive_list *around, *inner,
        *next; /* first of the lists it is around; sibling */
    unsigned pair;
    unsigned depth; /* at least 1 */
    bool once;      /* the innermost source never stands twice on a stack */
};

/* The list of the scope (scopes.h); NULL_TREE stands for the function's own.  */
struct inclusive_list *inclusive_list_of(tree scope);

/* The list AROUND with the source of FUNCTION inside of it: AROUND itself if the source
   is excluded, or stands in AROUND already and there is no trace.  */
struct inclusive_list *inclusive_list_within(struct inclusive_list *around,
                                             tree function);

/* The longest list that both start with.  */
struct inclusive_list *inclusive_list_common(struct inclusive_list *a,
                                             struct inclusive_list *b);

static inline unsigned inclusive_list_depth(const struct inclusive_list *list)
{
    return list ? list->depth : 0;
}

/* Stands for a list longer than any other: what nobody knows yet, or may be any.  */
extern struct inclusive_list inclusive_list_any;

/* At the end of a function.  */
void inclusive_lists_end(void);

#endif
