/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes demangled names of C++ apart, for names.c.  */

#ifndef MLPROF_SIGNATURE_H
#define MLPROF_SIGNATURE_H

/* The name of a function alone, to be freed, from DEMANGLED, which has the parameters
   and, for a template, the return type.  A name that is no function's is returned
   unchanged.  */
char *signature_name(const char *demangled);

#endif
