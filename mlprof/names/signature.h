/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes demangled names of C++ apart.  For names.c.  */

#ifndef MLPROF_SIGNATURE_H
#define MLPROF_SIGNATURE_H

/* The name of a function alone, of DEMANGLED, which has its parameters and, if it is of a
   template, the type it returns; what is no function stays as it is. To be freed.  */
char *signature_name(const char *demangled);

#endif
