// SPDX-License-Identifier: GPL-3.0-or-later
// Calls into mixed-other.c, whose functions are inlined here at link time, and the other
// way round.

int other(int x);
int mine(int x);

int mine(int x)
{
    return (x * 0x41c64e6d) ^ 0x33;
}

static inline int helper(int x)
{
    return (x * 0x2545f49) ^ 0x77;
}

int main(int argc, char **argv)
{
    (void)argv;
    return (other(argc) ^ helper(argc ^ 9)) == 1;
}
