// SPDX-License-Identifier: GPL-3.0-or-later

int other(int x);
int mine(int x);

static inline int inner(int x)
{
    return (x * 0x19660d) ^ 0x99;
}

int other(int x)
{
    return mine(inner(x) ^ 5) + 1;
}
