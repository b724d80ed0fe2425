/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program's own account of its CPU time: which function it was spent in, and which
   functions were active then. The functions say so themselves, which costs nothing
   beside the work between two calls of clock_gettime. One thread. A twentieth of a
   second goes before main, in code that is not profiled. */

#ifndef ACCOUNT_H
#define ACCOUNT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The active functions, outermost first. */
struct account_list {
    const char *name[64];
    int depth;
};

/* The list in use; another one for each stack that the program has. */
extern struct account_list *account_active;

/* The calling function begins: its place in the list, for account_leave. */
int account_enter(const char *name);

/* Ends the function at PLACE and all that it called; account_back those only, after an
   exception or a jump. */
void account_leave(int place);
void account_back(int place);

/* CPU time of the thread in nanoseconds. */
uint64_t account_now(void);

/* Charges the time since START to the innermost active function. */
void account_charge(uint64_t start);

/* A line for each function: its name, the nanoseconds in it alone, and those while it was
   active, recursion counted once; then `end'. */
void account_print(void);

/* So much work in the function where it stands, PARTS of about half a millisecond. */
#define ACCOUNT_SPEND(parts)                                                             \
    do {                                                                                 \
        uint64_t account_start = account_now(), account_x = 1;                           \
        KERNEL_SPIN(account_x, KERNEL_ALPHA, (parts)*400000L);                           \
        account_sink = account_x;                                                        \
        account_charge(account_start);                                                   \
    } while (0)

extern volatile uint64_t account_sink;

#ifdef __cplusplus
}
#endif

#endif
