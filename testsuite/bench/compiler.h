// SPDX-License-Identifier: GPL-3.0-or-later
// A compiler for a small language: the part of C that has int, functions, if, while and
// return, so that any C compiler can tell what is right.  Arithmetic wraps around.

#ifndef COMPILER_H
#define COMPILER_H

#include <stdbool.h>

// Compiles TEXT and runs its last function; what that returns is in *RESULT.  False if
// the text is wrong, or takes more room than there is.
bool compiler_run(const char *text, int *result);

#endif
