/* SPDX-License-Identifier: GPL-3.0-or-later */
/* artificial: builds declarations of variables and functions that the source does not
   have, for all modules that add code.  They have no debug information.  */

#ifndef CCPROF_ARTIFICIAL_H
#define CCPROF_ARTIFICIAL_H

/* A static variable.  NAME is its symbol, too; one with a * in front, which is no part of
   the identifier, is taken by the assembler as it is.  The caller sees to it that it is
   written (varpool_node::finalize_decl), if it is to be.  */
tree artificial_variable(const char *name, tree type);

/* A variable that is defined elsewhere: in another object, or by what the plugin prints
   itself.  NAME as above.  */
tree artificial_external(const char *name, tree type);

/* A function of the stub's (rt/attach.c), which throws nothing.  */
tree artificial_function(const char *name, tree type);

/* Makes a declaration one of the same executable or shared object.  */
void artificial_hide(tree decl);

#endif
