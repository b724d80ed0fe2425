/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes names of C++ narrower: template arguments become `...', then scopes go.  For
   whoever has fewer columns than a name; a name of another language loses its front.  */

#ifndef MLPROF_CXXNAME_H
#define MLPROF_CXXNAME_H

#include <stdbool.h>
#include <stddef.h>

/* A letter or what else words of C++ have.  */
bool cxxname_is_word(char c);

/* How many bytes the word at AT has, behind `operator' with the operator.  0: there is
   none.  */
size_t cxxname_word(const char *at);

/* NAME, or if it is wider than MOST columns the same with as many template arguments
   left out as needed, those first that are nested deepest; it stays wider where that is
   not enough.  Freed by free.  */
char *cxxname_leave_out(const char *name, size_t most);

/* NAME, or if it is wider than MOST columns what is left of it without long arguments,
   behind `...' without scopes in front of the first arguments, without any arguments,
   without parameters, and without all scopes, in this order.  The function's own name
   goes last, and its end stays.  MOST is at least 4.  Freed by free.  */
char *cxxname_fit(const char *name, size_t most);

#endif
