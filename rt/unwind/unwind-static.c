/* SPDX-License-Identifier: MIT */
/* For libccprof.a: takes _dl_find_object from libc.a, from which the weak reference
   of unwind-tables.c takes nothing.  */

#define _GNU_SOURCE
#include <dlfcn.h>

extern int (*const ccprof_unwind_static)(void *, struct dl_find_object *);
int (*const ccprof_unwind_static)(void *, struct dl_find_object *) = _dl_find_object;
