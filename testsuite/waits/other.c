// SPDX-License-Identifier: GPL-3.0-or-later
// A library with functions that have names of libc, but other parameters and results.

struct triple {
    long a, b, c;
};

double connect(double a, const char *b, double c);
struct triple flock(struct triple from, int more);

double connect(double a, const char *b, double c)
{
    return a + c + *b;
}

struct triple flock(struct triple from, int more)
{
    return (struct triple){from.c + more, from.b, from.a};
}
