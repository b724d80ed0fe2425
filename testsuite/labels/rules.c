// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of known instructions, one directly behind the other; each label is that of
// an address at which samples are. Is not run.

#include <string.h>

// An inlined function of these instructions.
#define INLINE(name, ...)                                                                \
    static inline __attribute__((always_inline)) void name(void)                         \
    {                                                                                    \
        __asm__ volatile(__VA_ARGS__);                                                   \
    }

INLINE(load, "at_load: mov (%rsp), %eax")
INLINE(quick, "at_quick: mov %eax, %edx\n"
              "at_quick2: mov %edx, %ecx")
INLINE(decide, "at_decide: test $1, %al\n"
               "at_branch: je 1f\n"
               "at_other: lea 1(%rax), %edx\n"
               "1:")
// Both ways into it are decide's; it is the first of a block.
INLINE(join, "at_join: mov %edx, %eax\n"
             "at_join2: xor %ecx, %eax\n"
             "at_join3: add $1, %eax")
// The ways to what is behind it are its own and, from the end, again's.
INLINE(top, "at_top: mov %eax, %ebx")
INLINE(again, "at_again: mov %ebx, %ecx\n"
              "at_again2: jmp at_next")
INLINE(next, "at_next: mov %ebx, %edx\n"
             "at_next2: ud2")

__attribute__((noipa)) void callee(void)
{
    __asm__ volatile("at_callee: mov %eax, %eax");
}

// Ends with a jump to what has no tables.
__attribute__((noipa)) void jumper(char *at)
{
    memset(at, 1, 100);
}

// Ends where that one ends.
__attribute__((noipa)) void passer(char *at)
{
    jumper(at + 1);
}

// Ends in one or the other.
__attribute__((noipa)) void chooser(char *at)
{
    if (*at)
        memset(at, 2, 200);
    else
        jumper(at);
}

INLINE(calls_jumper, "call jumper\n"
                     "at_jumped: mov %edx, %edx")
INLINE(calls_passer, "call passer\n"
                     "at_passed: mov %edx, %edx")
INLINE(calls_chooser, "call chooser\n"
                      "at_chosen: mov %edx, %edx")
INLINE(calls, "at_call: call callee")
INLINE(returned, "at_returned: mov %edx, %edx")
INLINE(wait, "test $1, %al\n"
             "je 2f\n"
             "lea 1(%rax), %edx\n"
             "2:")
// The first of a block, and slow.
INLINE(relax, "pause\n"
              "at_relaxed: mov %edx, %edx")
__attribute__((noipa)) void spin(void)
{
    wait();
    relax();
}

__attribute__((noipa)) void all(void)
{
    load();
    quick();
    decide();
    join();
    calls();
    returned();
    calls_jumper();
    calls_passer();
    calls_chooser();
    top();
    next();
    again();
}

int main(void)
{
    all();
    callee();
    spin();
    char some[400] = {0};
    passer(some);
    chooser(some);
    return 0;
}
