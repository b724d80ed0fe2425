/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways through functions that can be counted by hand.  */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static int many(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++) {
        if (i % 3 == 0)
            sum += i;
        else
            sum -= i;
        switch (i & 7) {
        case 1:
            sum++;
            break;
        case 2:
        case 3:
            sum += 2;
            break;
        case 7:
            if (sum > 5 || i < 20)
                sum /= 2;
            break;
        default:
            sum ^= 1;
        }
    }
    return sum;
}

static int one_line(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i & 1) s++; else { do s += 2; while (s % 5); } } return s; }

#define TWICE(x) do { if (x) count++; while (count % 4) count++; } while (0)
static int count;

static void macro(int x)
{
    TWICE(x); TWICE(!x);
    goto out;
back:
    count++;
    return;
out:
    if (x < 3) goto back;
}

static int never(int x)
{
    if (x)
        return 1;
    return 2;
}

static jmp_buf place;

static int jumps(int depth)
{
    if (depth == 0)
        longjmp(place, 1);
    return jumps(depth - 1) + 1;
}

static int lands(int n)
{
    volatile int landed = 0;

    for (volatile int i = 0; i < n; i++) {
        if (setjmp(place) == 0)
            landed += jumps(i);
        else
            landed++;
    }
    return landed;
}

static int (*volatile pointer)(int) = one_line;

int main(int argc, char **argv)
{
    int sum = many(40) + one_line(10);

    for (int i = 0; i < 7; i++)
        macro(i);
    sum += pointer(3) + lands(4);
    if (argc > 100)
        pointer = never;
    printf("%d %d\n", sum, count);
    if (sum)
        exit(argc - 1 + (argv[0] == NULL));
    return never(1);
}
