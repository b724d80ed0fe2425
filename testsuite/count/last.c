// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that run after exit's handlers. MAIN: the name of main, in a shared object.

#ifndef MAIN
#define MAIN main
#endif

static volatile int sink;

static void work(void) { sink++; }
__attribute__((constructor)) static void begin(void) { work(); }
__attribute__((destructor)) static void end(void) { work(); }
__attribute__((destructor(101))) static void end_of_all(void) { work(); }

int MAIN(void)
{
    work();
    return 0;
}
