/* SPDX-License-Identifier: GPL-3.0-or-later */
/* purity: that a counted function was declared pure or const is not to save calls of it,
   so it is forgotten, by the compiler; not here.  */

#ifndef CCPROF_PURITY_H
#define CCPROF_PURITY_H

/* Of a function that has a body.  */
void purity_forget(tree function);

/* Of a call: the C front end gives the type of each the qualifier, too.  */
void purity_forget_of_call(gcall *call);

/* Whether purity_forget has forgotten something of the function.  */
bool purity_was(tree function);

#endif
