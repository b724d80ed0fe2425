/* SPDX-License-Identifier: GPL-3.0-or-later */
/* artificial: builds what the source does not have, for the modules that add code:
   declarations, marks (asm statements without instructions that become code later), and
   carriers (variables that carry bytes from an early pass to the end of the compilation),
   and asm statements in RTL.  No declaration has debug information.  */

#ifndef CCPROF_ARTIFICIAL_H
#define CCPROF_ARTIFICIAL_H

/* A static variable.  NAME is its symbol, too.  The assembler takes a NAME with a * in
   front, which is no part of the identifier, as it is.  To have the variable written, the
   caller calls varpool_node::finalize_decl.  */
tree artificial_variable(const char *name, tree type);

/* A variable that another object defines, or text that the plugin prints itself.  NAME as
   above.  */
tree artificial_external(const char *name, tree type);

/* A function of the stub (rt/attach.c), which throws nothing.  */
tree artificial_function(const char *name, tree type);

/* Says that DECL is defined in the same executable or shared object.  */
void artificial_hide(tree decl);

/* A mark of the kind TEXT, which is a comment for the assembler, for a place where code
   is needed.  The optimisers carry the mark along, and keep what it names; when they are
   done asmmark_lower makes it code.  The mark uses VALUE, and names the static VARIABLE;
   each may be NULL_TREE.  */
gasm *asmmark_make(const char *text, tree value, tree variable);

/* The value and the variable as they are now; NULL_TREE if the mark has none.  */
tree asmmark_value(const gasm *mark);
tree asmmark_variable(const gasm *mark);

/* Makes a block that is executed before the mark if its variable is equal to VALUE (CODE
   is EQ_EXPR) or is not (NE_EXPR), which is seldom.  Returns where to insert the block's
   code.  */
gimple_stmt_iterator asmmark_branch(gasm *mark, tree_code code, tree value);

/* Calls LOWER for each mark of the kind TEXT, which inserts code before the mark; then
   removes the mark.  For passes behind the optimisers.  */
void asmmark_lower(function *fun, const char *text, void (*lower)(gasm *mark));

/* A carrier is a static variable whose context is a function of the source and whose
   initializer is the bytes.  It goes through LTO, and is removed before variables are
   written.

   Keeps the bytes, which are copied, for the current function.  NAME is an identifier;
   the name of no other kind of carrier may begin with it.  TAG is a number for the
   caller.  */
void carrier_keep(const char *name, unsigned tag, const unsigned char *bytes,
                  size_t size);

/* When LTO has streamed everything: removes all carriers of that name, and calls TAKE for
   those whose tables this compilation writes, in no certain order.  TAKE copies the bytes
   if it keeps them.  */
void carrier_take(const char *name,
                  void (*take)(tree function, unsigned tag, const unsigned char *bytes,
                               size_t size));

/* Patterns of insns, as asm statements on general registers: one that sets REG, %0 in its
   TEXT, and reads no register; one that changes SCRATCH, too; and one that reads COUNT
   registers, %0 and so on in its TEXT, and sets none.  They copy the text.  */
rtx artificial_asm_load(unsigned reg, const char *text);
rtx artificial_asm_load_with(unsigned reg, unsigned scratch, const char *text);
rtx artificial_asm_store(const char *text, const unsigned *registers, unsigned count);

#endif
