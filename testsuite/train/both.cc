// SPDX-License-Identifier: GPL-3.0-or-later
// classes.cc and others.cc in one compilation: of inline functions in two objects it is
// by chance which object has what is counted.

#include "classes.cc"
#define local other_local
#include "others.cc"
