/* What becomes of lines, for marks.py: the comment at the end of a line is its sign on
   the page, when it is compiled with -O2 and blocks are counted; without counts `gone' is
   `none'. */
#include <stdio.h>
#include <stdlib.h>

static double weigh(const double *v, int n, double a, double b)
{
    double sum = 0;               /* code */
    for (int i = 0; i < n; i++) { /* code */
        double scale = a * b + 3; /* moved */
        int unused = n * i;       /* gone */
        sum += v[i] * scale;      /* code */
    }
    return sum;
}

static int seldom(int x)
{
    if (x > 1000000) {     /* code */
        x *= 3;            /* code, never */
        printf("%d\n", x); /* code, never */
    }
    return x;
}

__attribute__((noinline)) double outer(const double *v, int n, int m)
{
    double all = 0;               /* code */
    for (int k = 0; k < m; k++) { /* code */
        int dead = k * 7;         /* gone */
        dead += n;                /* gone */
        all += weigh(v, n, k, n); /* code */
        seldom(k);                /* code */
    }
    return all;
}

int main(int count, char **words)
{
    static double v[1000];
    int m = count > 1 ? atoi(words[1]) : 30000; /* code */
    for (int i = 0; i < 1000; i++)              /* code */
        v[i] = rand();                          /* code */
    printf("%g\n", outer(v, 1000, m));          /* code */
    return 0;
}
