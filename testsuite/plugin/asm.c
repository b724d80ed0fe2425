// SPDX-License-Identifier: GPL-3.0-or-later
// Assembly in the midst of functions and between them, in sections of its own too.

#include <stdio.h>

__asm__(".globl of_the_top\n"
        ".type of_the_top, @function\n"
        "of_the_top:\n"
        "\tleal 3(%rdi), %eax\n"
        "\tret\n"
        ".size of_the_top, .-of_the_top");

extern int of_the_top(int x);

static inline int count(int x)
{
    int bits;
    __asm__("xorl $0x41c64e6d, %1\n\tpopcntl %1, %0" : "=r"(bits), "+r"(x));
    return bits;
}

static inline int noted(int x)
{
    __asm__ volatile("1: nop\n"
                     ".pushsection .notes_of_mine, \"a\", @progbits\n"
                     ".quad 1b\n"
                     ".popsection\n"
                     ".subsection 1\n"
                     "2: jmp 1b\n"
                     ".previous\n"
                     ".p2align 5\n"
                     ".rept 40\n"
                     "nop\n"
                     ".endr" ::
                         : "memory");
    return x * 0x19660d;
}

__attribute__((noinline)) int jump(int x)
{
    __asm__ goto("testl %0, %0\n\tjz %l1" ::"r"(x)::zero);
    return noted(x) ^ 0x3ade68b;
zero:
    return 0x2545f49 ^ x;
}

__attribute__((naked, used)) int bare(void)
{
    __asm__("movl $0x1b87359, %eax\n\tret");
}

__asm__(".section .text.of_mine, \"ax\", @progbits\n"
        "elsewhere:\n"
        "\tret\n"
        ".text");

__attribute__((noinline)) int behind(int x)
{
    return count(x) * 0x2b2ae35;
}

int main(int argc, char **argv)
{
    (void)argv;
    printf("%d %d %d %d %d\n", of_the_top(argc), jump(argc), jump(argc - 1), bare(),
           behind(argc));
    return 0;
}
