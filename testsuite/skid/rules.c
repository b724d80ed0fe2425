// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of known instructions, one directly behind the other; each label is that of
// an address at which samples are.  Is not run.

#define INLINE static inline __attribute__((always_inline)) void

INLINE load(void)
{
    __asm__ volatile("at_load: mov (%rsp), %eax");
}

INLINE quick(void)
{
    __asm__ volatile("at_quick: mov %eax, %edx\n"
                     "at_quick2: mov %edx, %ecx");
}

INLINE decide(void)
{
    __asm__ volatile("at_decide: test $1, %al\n"
                     "at_branch: je 1f\n"
                     "at_other: lea 1(%rax), %edx\n"
                     "1:");
}

// Both ways into it are decide's; it is the first of a block.
INLINE join(void)
{
    __asm__ volatile("at_join: mov %edx, %eax\n"
                     "at_join2: xor %ecx, %eax\n"
                     "at_join3: add $1, %eax");
}

// The ways to what is behind it are its own and, from the end, again's.
INLINE top(void)
{
    __asm__ volatile("at_top: mov %eax, %ebx");
}

INLINE again(void)
{
    __asm__ volatile("at_again: mov %ebx, %ecx\n"
                     "at_again2: jmp at_next");
}

INLINE next(void)
{
    __asm__ volatile("at_next: mov %ebx, %edx\n"
                     "at_next2: ud2");
}

__attribute__((noipa)) void callee(void)
{
    __asm__ volatile("at_callee: mov %eax, %eax");
}

INLINE calls(void)
{
    __asm__ volatile("at_call: call callee");
}

INLINE returned(void)
{
    __asm__ volatile("at_returned: mov %edx, %edx");
}

INLINE wait(void)
{
    __asm__ volatile("test $1, %al\n"
                     "je 2f\n"
                     "lea 1(%rax), %edx\n"
                     "2:");
}

// The first of a block, and slow.
INLINE relax(void)
{
    __asm__ volatile("pause\n"
                     "at_relaxed: mov %edx, %edx");
}

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
    top();
    next();
    again();
}

int main(void)
{
    all();
    callee();
    spin();
    return 0;
}
