// SPDX-License-Identifier: GPL-3.0-or-later
// Uses library.c.

#include <setjmp.h>
#include <stdio.h>

typedef int Callback(int);
int library_run(Callback *callback, int n);
int library_recurse(int n, Callback *callback);

static jmp_buf env;

static int callback(int i)
{
    if (i < 0)
        longjmp(env, 3);
    return i % 2 != 0 ? i : -i;
}

int main(void)
{
    int sum = library_run(callback, 20);
    if (setjmp(env) == 0)
        sum += library_recurse(5, callback);
    else
        sum += library_run(callback, 3);
    printf("%d\n", sum);
    return 0;
}
