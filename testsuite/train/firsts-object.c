/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The object of firsts.c, which calls its own functions by a pointer. */
static __attribute__((noipa)) int a(int n)
{
    return n + 4;
}
static __attribute__((noipa)) int b(int n)
{
    return n * 5;
}
static __attribute__((noipa)) int c(int n)
{
    return n ^ 6;
}

static int (*volatile table[])(int) = {a, b, c};

int late(int which, int n);
int late(int which, int n)
{
    int last = 0;
    for (int i = 0; i < n; i++)
        last = table[which](i) & 0xff;
    return last;
}
