/* SPDX-License-Identifier: GPL-3.0-or-later */
/* artificial: builds declarations and statements that the source does not contain. All
   modules that add code to the program use it. It builds

     - declarations without debug information,
     - marks: asm statements without instructions, which become code after the optimisers,
     - carriers: variables that carry bytes from an early pass to the end of the
   compilation,
     - asm statements in RTL. */

#ifndef CCPROF_ARTIFICIAL_H
#define CCPROF_ARTIFICIAL_H

/* Returns a new static variable with the symbol NAME. If NAME begins with *, the
   assembler uses the rest of NAME unchanged, and the * is not a part of the
   identifier. To have the variable written, call varpool_node::finalize_decl. */
tree artificial_variable(const char *name, tree type);

/* Returns a variable that is defined in another object, or in text that the plugin
   prints itself. NAME has the same form as in artificial_variable. */
tree artificial_external(const char *name, tree type);

/* Returns a function of the stub (rt/attach.c). Such a function throws no exceptions. */
tree artificial_function(const char *name, tree type);

/* Declares that DECL is defined in the same executable or shared object. */
void artificial_hide(tree decl);

/* Returns a mark for a place that needs code later. TEXT names the kind of mark and is
   a comment for the assembler. The optimisers move and copy the mark with the code
   around it, and they keep its operands: the value VALUE and the static variable
   VARIABLE. Each of the two may be NULL_TREE. After the optimisers, asmmark_lower
   replaces the mark by code. */
gasm *asmmark_make(const char *text, tree value, tree variable);

/* Return the operands that the mark has after optimisation, or NULL_TREE if the mark
   has no such operand. */
tree asmmark_value(const gasm *mark);
tree asmmark_variable(const gasm *mark);

/* Makes a block that is executed before the mark, if the mark's variable is equal to
   VALUE (CODE is EQ_EXPR) or differs from VALUE (CODE is NE_EXPR). The block is
   expected to be executed rarely. Returns where to insert the code of the block. */
gimple_stmt_iterator asmmark_branch(gasm *mark, tree_code code, tree value);

/* Calls LOWER for each mark of the kind TEXT, then removes the mark. LOWER inserts
   code before the mark. For passes after the optimisers. */
void asmmark_lower(function *fun, const char *text, void (*lower)(gasm *mark));

/* A carrier is a static variable. Its context is a function of the source, and its
   initializer is the bytes. LTO streams it like any variable, and it is removed before
   variables are written.

   carrier_keep makes a carrier for the current function and copies the bytes. NAME is
   an identifier that names the kind of carrier. No kind may have a name that begins
   with the name of another kind. TAG is any number that the caller needs. */
void carrier_keep(const char *name, unsigned tag, const unsigned char *bytes,
                  size_t size);

/* Removes all carriers of the kind NAME, after LTO has streamed everything. Calls TAKE
   for each carrier whose tables this compilation writes, in no fixed order. TAKE must
   copy the bytes if it needs them later. */
void carrier_take(const char *name,
                  void (*take)(tree function, unsigned tag, const unsigned char *bytes,
                               size_t size));

/* Return patterns of insns: asm statements on general registers. They copy TEXT.
   artificial_asm_load sets REG, which is %0 in TEXT, and reads no register.
   artificial_asm_load_with also changes SCRATCH. artificial_asm_store reads COUNT
   registers, which are %0, %1 and so on in TEXT, and sets no register. */
rtx artificial_asm_load(unsigned reg, const char *text);
rtx artificial_asm_load_with(unsigned reg, unsigned scratch, const char *text);
rtx artificial_asm_store(const char *text, const unsigned *registers, unsigned count);

#endif
