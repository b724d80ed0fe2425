// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that are not compiled, since nothing that is compiled calls them.
//: behind_it 0, called 1, calls_behind_it 0, external 0, header_static 0, main 1, not_referred_to 0
//: under_if_0 0

#include "absent.h"

static int under_if_0(int x) { return x + 1; }
static int behind_it(int x) { return x + 2; }
static inline int calls_behind_it(int x) { return behind_it(x); }
__attribute__((unused)) static int not_referred_to(int x) { return x + 3; }
__attribute__((unused, ccprof_exclude)) static int excluded(int x) { return x + 4; }
static int called(int x) { return x - 1; }
int external(int x) { return called(x); }

int main(void)
{
    int sum = called(1);
    if (0)
        sum += under_if_0(sum);
    if (sizeof(int) > 8)
        sum += calls_behind_it(sum);
    return sum;
}
