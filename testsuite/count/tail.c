// SPDX-License-Identifier: GPL-3.0-or-later
// A call in tail position that does not come back the second time. Behind //= stands how
// often a line is executed where the call stays one.
#include <stdlib.h>

__attribute__((noipa)) void out(int x)
{
    if (x)       //= 2
        exit(0); //= 1
} //= 1

__attribute__((noipa)) void middle(int x)
{
    out(x); //= 2
} //= 1

int main(void)
{
    middle(0); //= 1
    middle(1); //= 1
    return 0;  //= 0
}
