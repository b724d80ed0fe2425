/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls by pointers whose numbers leave one way, or several. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int function(int);

static int f(int x) { return x + 1; }
static int g(int x) { return x * 2; }
static int h(int x) { return f(x) - 3; } /* never by a pointer */

static function *volatile table[] = {f, g};

static int few(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += table[i % 2](i);
    return sum;
}

static int most(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += table[i % 10 == 0](i);
    return sum;
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
    int numbers[] = {2, 1};
    int sum = few(10) + most(90) + h(1) + h(2) + g(3);

    if (argc > 1)
        qsort(numbers, 2, sizeof *numbers, compare);
    printf("%d %d %d\n", sum, numbers[0], (int)strlen(argv[0]) > 0);
    return 0;
}
