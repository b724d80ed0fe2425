/* SPDX-License-Identifier: GPL-3.0-or-later */
/* branch: puts code before a statement that is executed under a condition which seldom
   holds, for passes behind the optimisers.  */

#ifndef CCPROF_BRANCH_H
#define CCPROF_BRANCH_H

/* Where the static VARIABLE is not equal to VALUE (NE_EXPR), or is (EQ_EXPR), a new block
   is executed before STATEMENT.  Returns that block, which is empty.  */
basic_block branch_make(gimple *statement, tree variable, tree_code code, tree value);

/* Behind the last one of a function.  */
void branch_end(function *fun);

#endif
