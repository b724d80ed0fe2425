// SPDX-License-Identifier: GPL-3.0-or-later
// Functions without code, without a prologue, without a name of their own, in sections of
// the user's; each with a constant to be found by.

int odd_sink;

void nothing(void)
{
}

void gone(void)
{
    __builtin_unreachable();
}

__attribute__((naked)) int bare(void)
{
    __asm__("movl $0x1000001, %eax\n\tret");
}

__attribute__((section(".text.of_user"))) int in_user(int x)
{
    return x * 0x1000003;
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

__attribute__((hot)) int hot(int x)
{
    return x * 0x100000b;
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

// The semicolon behind it ends a declaration.
#define D(n, m)                                                                          \
    static inline __attribute__((always_inline)) int deep##n(int x)                      \
    {                                                                                    \
        return deep##m(x ^ n) + 1;                                                       \
    }                                                                                    \
    extern int odd_sink

static inline __attribute__((always_inline)) int deep0(int x)
{
    return x * 0x100001d;
}
D(1, 0);
D(2, 1);
D(3, 2);
D(4, 3);
D(5, 4);
D(6, 5);
D(7, 6);
D(8, 7);
D(9, 8);
D(10, 9);
D(11, 10);
D(12, 11);
D(13, 12);
D(14, 13);
D(15, 14);
D(16, 15);
D(17, 16);
D(18, 17);
D(19, 18);
D(20, 19);
D(21, 20);
D(22, 21);
D(23, 22);
D(24, 23);
D(25, 24);
D(26, 25);
D(27, 26);
D(28, 27);
D(29, 28);
D(30, 29);

int deepest(int x)
{
    return deep30(x);
}

int main(void)
{
    nothing();
    return 0;
}
