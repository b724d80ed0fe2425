/* SPDX-License-Identifier: GPL-3.0-or-later */
/* purity: takes `pure' and `const' from functions that are counted, for the passes of
   count: GCC must not save calls of such a function, since each call adds to a
   counter.  What the user declared is remembered.  */

#ifndef CCPROF_PURITY_H
#define CCPROF_PURITY_H

/* Takes the attributes from a function that has a body.  */
void purity_forget(tree function);

/* Takes the attributes from a call: the C front end gives the type of each the
   qualifier, too.  */
void purity_forget_of_call(gcall *call);

/* Whether purity_forget has forgotten something of the function.  */
bool purity_was(tree function);

#endif
