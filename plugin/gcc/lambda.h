/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lambda: recognizes the function by which a lambda is made a pointer, for names.
   That function only calls the lambda's operator (GCC: cp/lambda.cc,
   maybe_add_lambda_conv_op), and names calls it an entry of the operator.  */

#ifndef CCPROF_LAMBDA_H
#define CCPROF_LAMBDA_H

/* While the front end is there: remembers which operator the current function calls, if
   it is an entry.  */
void lambda_note(void);

bool lambda_is_entry(tree function);

/* The symbol of the operator of the ENTRY, whose own is NAME.  Link time makes it from
   this, and gives NAME for one with a template's parameters.  Valid until the next call.
 */
const char *lambda_operator_symbol(tree entry, const char *name);

#endif
