/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names the system calls of Linux by their numbers.  */

#ifndef MLPROF_SYSTEM_CALLS_H
#define MLPROF_SYSTEM_CALLS_H

#include <stdint.h>

/* The name of a system call on the processor MACHINE, which is one of ELF's numbers EM_*;
   `system call NUMBER' if it is not known.  To be freed.  */
char *system_calls_name(unsigned machine, uint64_t number);

#endif
