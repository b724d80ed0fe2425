/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways through functions that can be counted by hand. Behind //= stands how often a line is executed. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static int many(int n) //= 1
{
    int sum = 0; //= 1

    for (int i = 0; i < n; i++) { //= 41
        if (i % 3 == 0) //= 40
            sum += i; //= 14
        else
            sum -= i; //= 26
        switch (i & 7) { //= 40
        case 1:
            sum++; //= 5
            break;
        case 2:
        case 3:
            sum += 2; //= 10
            break;
        case 7:
            if (sum > 5 || i < 20) //= 5
                sum /= 2; //= 2
            break;
        default:
            sum ^= 1; //= 20
        }
    }
    return sum; //= 1
}

static int one_line(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i & 1) s++; else { do s += 2; while (s % 5); } } return s; }

#define TWICE(x) do { if (x) count++; while (count % 4) count++; } while (0)
static int count;

static void macro(int x) //= 7
{
    TWICE(x); TWICE(!x);
    goto out;
back:
    count++; //= 3
    return;
out:
    if (x < 3) goto back; //= 7
}

static int never(int x)
{
    if (x) //= 0
        return 1; //= 0
    return 2; //= 0
}

static jmp_buf place;

static int jumps(int depth)
{
    if (depth == 0) //= 10
        longjmp(place, 1); //= 4
    return jumps(depth - 1) + 1; //= 6
}

static int lands(int n)
{
    volatile int landed = 0; //= 1

    for (volatile int i = 0; i < n; i++) { //= 5
        if (setjmp(place) == 0)
            landed += jumps(i); //= 4
        else
            landed++; //= 4
    }
    return landed; //= 1
}

/* Labels that are not next to each other and lead to one place, and the largest number. */
static int kind(unsigned c)
{
    switch (c) {
    case 0:
        return 1; //= 3
    case 1 ... 3:
    case 9:
        return 2; //= 11
    case 0xffffffff:
        return 3; //= 1
    default:
        return 4; //= 16
    }
}

/* Two decisions at one place. */
#define CLAMP(x, low, high) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))

static int (*volatile pointer)(int) = one_line;

int main(int argc, char **argv)
{
    int sum = many(40) + one_line(10);

    for (int i = 0; i < 7; i++) //= 8
        macro(i); //= 7
    sum += pointer(3) + lands(4);
    if (argc > 100)
        pointer = never; //= 0
    for (int i = 0; i < 30; i++) //= 31
        sum += kind((unsigned)i % 12) + CLAMP(i, 5, 20); //= 30
    sum += kind(-1u);
    printf("%d %d\n", sum, count);
    if (sum)
        exit(argc - 1 + (argv[0] == NULL));
    return never(1); //= 0
}
