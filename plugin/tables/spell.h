/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spell: turns what the C++ demangler says into the name that people see, for names:
   without the parameters of the functions around, with lambdas named after where they
   stand.  Knows nothing of GCC.  */

#ifndef CCPROF_SPELL_H
#define CCPROF_SPELL_H

#ifdef __cplusplus
extern "C" {
#endif

/* Changes NAME, which was demangled without the function's own parameters.  What stands
   in template arguments stays, but lambdas.  */
void spell(char *name);

#ifdef __cplusplus
}
#endif

#endif
