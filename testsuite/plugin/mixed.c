// SPDX-License-Identifier: GPL-3.0-or-later
// Two units, the second one with -DOTHER, whose functions are inlined in each other at
// link time.

int other(int x);
int mine(int x);

#ifdef OTHER

static inline int inner(int x)
{
    return (x * 0x19660d) ^ 0x99;
}

int other(int x)
{
    return mine(inner(x) ^ 5) + 1;
}

#else

static inline int helper(int x)
{
    return (x * 0x2545f49) ^ 0x77;
}

int mine(int x)
{
    return (x * 0x41c64e6d) ^ 0x33;
}

int main(int argc, char **argv)
{
    (void)argv;
    return (other(argc) ^ helper(argc ^ 9)) == 1;
}

#endif
