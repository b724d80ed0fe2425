// SPDX-License-Identifier: GPL-3.0-or-later
// Functions without code, without a prologue, without a name of their own, in sections of
// the user's; assembly in the midst of functions and between them, in sections of its own
// too; each with a constant to be found by.

#include <stdio.h>

int odd_sink;

void nothing(void)
{
}

void gone(void)
{
    __builtin_unreachable();
}

__attribute__((naked, used)) int bare(void)
{
    __asm__("movl $0x1000001, %eax\n\tret");
}

__attribute__((section("user_code"))) int in_code(int x)
{
    if (__builtin_expect(x > 99, 0))
        odd_sink = x * 0x1000005;
    return x * 0x1000007;
}

__attribute__((section("user_code"))) int in_code_too(int x)
{
    return x * 0x1000009;
}

__attribute__((cold)) int cold(int x)
{
    return x * 0x100000d;
}

int labelled(int x) __asm__("another$name.1");
int labelled(int x)
{
    return x * 0x100000f;
}

int original(int x)
{
    return x * 0x1000011;
}
int alias(int x) __attribute__((alias("original")));

__attribute__((retain, used, section(".text.kept"))) static int kept(int x)
{
    return x * 0x1000013;
}

__attribute__((constructor)) static void early(void)
{
    odd_sink *= 0x1000015;
}

int outer(int n)
{
    int inner(int x)
    {
        return x * 0x1000017 + n;
    }
    int (*volatile f)(int) = inner;
    return f(n);
}

int jump(int n)
{
    __label__ out;
    __attribute__((noinline)) void inner(void)
    {
        odd_sink = n * 0x1000019;
        goto out;
    }
    if (n)
        inner();
    return 1;
out:
    return n * 0x100001b;
}

// Thirty functions, each inlined into the next one. The semicolon behind one ends a
// declaration.
#define DEEP(n, m)                                                                       \
    static inline __attribute__((always_inline)) int deep##n(int x)                      \
    {                                                                                    \
        return deep##m(x ^ n) + 1;                                                       \
    }
#define TEN(tens, before)                                                                \
    DEEP(tens##0, before)                                                                \
    DEEP(tens##1, tens##0)                                                               \
    DEEP(tens##2, tens##1)                                                               \
    DEEP(tens##3, tens##2)                                                               \
    DEEP(tens##4, tens##3)                                                               \
    DEEP(tens##5, tens##4)                                                               \
    DEEP(tens##6, tens##5)                                                               \
    DEEP(tens##7, tens##6)                                                               \
    DEEP(tens##8, tens##7)                                                               \
    DEEP(tens##9, tens##8)                                                               \
    extern int odd_sink

static inline __attribute__((always_inline)) int deep0(int x)
{
    return x * 0x100001d;
}
TEN(1, 0);
TEN(2, 19);
TEN(3, 29);

int deepest(int x)
{
    return deep39(x);
}

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

__attribute__((noinline)) int leap(int x)
{
    __asm__ goto("testl %0, %0\n\tjz %l1" ::"r"(x)::zero);
    return noted(x) ^ 0x3ade68b;
zero:
    return 0x2545f49 ^ x;
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
    nothing();
    printf("%d %d %d %d %d\n", of_the_top(argc), leap(argc), leap(argc - 1), bare(),
           behind(argc));
    return 0;
}
