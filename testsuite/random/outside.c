// SPDX-License-Identifier: GPL-3.0-or-later
// The executable of a random program that is in a shared object; compiled without the
// plugin.

#include "marks.h"

int main(void)
{
    return program_main();
}
