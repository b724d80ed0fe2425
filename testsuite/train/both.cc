// SPDX-License-Identifier: GPL-3.0-or-later
// classes.cc and others.cc in one compilation: of inline functions in two objects it is
// by chance which object has what is counted.

// The strings that libstdc++ has compiled already are compiled here, too: whether a call
// goes there or is inlined, and counted, the compiler decides, and otherwise where GCC's
// own counters are in the function.
#include <string>
template class std::basic_string<char>;

#include "classes.cc"
#define local other_local
#include "others.cc"
