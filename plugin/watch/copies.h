/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copies: tells which scopes of the current function (scopes.h) have stopwatches, for
   the other modules of this room: the inlined copies of functions that have one, and
   the function itself.  */

#ifndef CCPROF_COPIES_H
#define CCPROF_COPIES_H

/* Begins another function; before all other calls.  WITH_ROOT: the function itself has a
   watch.  */
void copies_start(bool with_root);
bool copies_has_root(void);

/* The innermost watched scope around SCOPE, itself included; the next one around a
   watched one; the innermost that is around both.  */
tree copies_watched(tree scope);
tree copies_around(tree watched);
tree copies_common(tree a, tree b);

/* Appends the watched scopes among BLOCK, those beside it and those inside.  */
void copies_find(tree block, vec<tree> *copies);

/* Whether a watched scope has an Enter, or a Leave, anywhere: GCC may have dropped both.
 */
bool copies_is_entered(tree watched);
bool copies_is_left(tree watched);

/* Whether the scope is in a part that GCC has split off its function: its Enter may be in
   the other one.  */
bool copies_is_in_part(tree scope);

/* The scope of a statement that does something; NULL_TREE: none.  GCC moves the ends of
   variables about (clobbers), and labels.  */
tree copies_scope_of(const gimple *stmt);

/* The scope of the block's first statement that has one, if no marker is before it.  */
tree copies_first_scope(basic_block bb);

/* Whether control comes to the block by the edge without code on it: by an exception or
   by a jump of another kind, which may not have come from where the edge begins.  */
bool copies_is_landing(const_edge e);

#endif
