/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copies: which scopes of the current function (scopes.h) have stopwatches: inlined
   copies of functions that have, and the function itself.  For the other modules of this
   room.  */

#ifndef CCPROF_COPIES_H
#define CCPROF_COPIES_H

/* For another function, before all others: whether it has a watch itself.  */
void copies_start(bool with_root);
bool copies_has_root(void);

/* The innermost watched scope around SCOPE, itself included; the next one around a
   watched one; the innermost that is around both.  */
tree copies_watched(tree scope);
tree copies_around(tree watched);
tree copies_common(tree a, tree b);

/* The scope of a statement that does something; NULL_TREE: none.  GCC moves the ends of
   variables about (clobbers), and labels.  */
tree copies_scope_of(const gimple *stmt);

/* Whether control comes to the block by the edge without code on it: by an exception or
   by a jump of another kind, which may not have come from where the edge begins.  */
bool copies_is_landing(const_edge e);

#endif
