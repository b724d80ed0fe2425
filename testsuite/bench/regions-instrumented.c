// SPDX-License-Identifier: GPL-3.0-or-later
// A function that does nothing, compiled with -finstrument-functions, and for uftrace
// with -pg: regions.c calls it, and so does this main.

void instrumented(void);

__attribute__((noinline)) void instrumented(void)
{
    __asm__ volatile("" : : : "memory");
}

#ifdef CALLS
int main(void)
{
    for (int i = 0; i < CALLS; i++)
        instrumented();
    return 0;
}
#endif
