/* SPDX-License-Identifier: GPL-3.0-or-later */
/* asmmark: assembler statements of no instructions, for the passes of targets and train.
   Early such a mark is put where something is to be told: the optimisers carry the mark
   along, and keep what it names.  When they are done each mark becomes code.  */

#ifndef CCPROF_ASMMARK_H
#define CCPROF_ASMMARK_H

/* A mark of the kind TEXT, which is a comment of the assembler's.  The mark uses VALUE,
   and names the static VARIABLE; each may be NULL_TREE.  */
gasm *asmmark_make(const char *text, tree value, tree variable);

/* The value and the variable as they are now; NULL_TREE: the mark has none.  */
tree asmmark_value(const gasm *mark);
tree asmmark_variable(const gasm *mark);

/* Makes a block that is executed before the mark where its variable is equal to VALUE
   (EQ_EXPR), or is not (NE_EXPR), which is seldom.  Returns where code goes in there.  */
gimple_stmt_iterator asmmark_branch(gasm *mark, tree_code code, tree value);

/* Calls LOWER, which puts code in front, for each mark of the kind TEXT, and removes it.
   For passes behind the optimisers.  */
void asmmark_lower(function *fun, const char *text, void (*lower)(gasm *mark));

#endif
