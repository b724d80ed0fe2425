/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scopes: finds the scopes of the current function, for all modules that ask where a
   statement belongs.  Nobody else reads GCC's BLOCKs.

   A scope is the outermost BLOCK of an inlined copy, or of the compiled function itself:
   it says to which function a statement belongs.  Scopes form a tree, as the copies do.
   GCC (tree-inline.cc, expand_call_inline) makes one BLOCK with a source location for
   each inlined call; the BLOCKs of the source have no location.  */

#ifndef CCPROF_SCOPES_H
#define CCPROF_SCOPES_H

/* The scope of the current function itself; NULL_TREE if it has none.  */
tree scopes_root(void);

/* The innermost scope around BLOCK, which may be NULL_TREE: then NULL_TREE.  A
   block that is not of the current function's tree gives NULL_TREE too.  */
tree scopes_of_block(tree block);

/* The innermost scope around a location's block; the root if there is none.  */
tree scopes_at(location_t location);

/* The scope around SCOPE; that of the root is NULL_TREE.  */
tree scopes_parent(tree scope);

/* The innermost scope around both; either may be NULL_TREE, as may the result.  */
tree scopes_common(tree a, tree b);

/* The FUNCTION_DECL that a scope is a copy of; DECL_ORIGIN is taken.  */
tree scopes_function(tree scope);

/* Makes GCC keep the root, and its copies where the function is inlined.  Otherwise GCC
   forgets a scope that has no statement left, and drops its markers.  */
void scopes_keep(void);

/* When GCC forgets nothing any more: hides what scopes_keep has added, in the function
   and in all its inlined copies, from debug information.  */
void scopes_hide(void);

#endif
