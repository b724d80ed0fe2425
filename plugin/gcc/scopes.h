/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scopes: finds the scopes of the current function. Used by all modules that need the
   function of a statement.

   A scope is the outermost BLOCK of an inlined copy, or of the compiled function
   itself. It determines to which function a statement belongs. Scopes form a tree, as
   the copies do. For each inlined call GCC (tree-inline.cc, expand_call_inline) makes
   one BLOCK with a source location; BLOCKs of the source have no location. */

#ifndef CCPROF_SCOPES_H
#define CCPROF_SCOPES_H

/* Returns the scope of the current function itself, NULL_TREE if it has none. */
tree scopes_root(void);

/* Returns the innermost scope around BLOCK. Returns NULL_TREE if BLOCK is NULL_TREE or
   is not in the current function's tree of blocks. */
tree scopes_of_block(tree block);

/* Returns the innermost scope around the block of LOCATION, or the root if there is
   none. */
tree scopes_at(location_t location);

/* Returns the scope around SCOPE, NULL_TREE if SCOPE is the root. */
tree scopes_parent(tree scope);

/* Returns the innermost scope that contains both A and B. A, B and the result may be
   NULL_TREE. */
tree scopes_common(tree a, tree b);

/* Returns the FUNCTION_DECL that SCOPE is a copy of: its DECL_ORIGIN. */
tree scopes_function(tree scope);

/* Makes GCC keep the root, and the copies of the root in functions where this function
   is inlined. Otherwise GCC removes a scope that contains no statement any more, and
   then drops its markers. */
void scopes_keep(void);

/* Hides the labels that scopes_keep has added, so that debug information does not
   contain them, in the function and in all its inlined copies. Call it after the last
   pass that removes unused scopes. */
void scopes_hide(void);

#endif
