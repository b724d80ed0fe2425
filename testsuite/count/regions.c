// SPDX-License-Identifier: GPL-3.0-or-later
// Code that GCC moves out of its function, into one that libgomp calls.
#include <omp.h>
#include <stdio.h>

static volatile int sink;

static void tasks(int n)
{
    for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i) //= 7
        {
            sink = i;              //= 7
            if (i == 3)            //= 7
                sink = -1;         //= 1
            if (i > 100)           //= 7
                sink = -2;         //= 0
        }
    }
#pragma omp taskwait
#pragma omp taskloop grainsize(1) //= 1
    for (int i = 0; i < n; i++)
        sink = i;                  //= 7
}

static void sections(void)
{
#pragma omp parallel sections num_threads(2) //= 5
    {
#pragma omp section
        sink = 1;                  //= 5
#pragma omp section
        {
            for (int i = 0; i < 3; i++)
                sink = i;          //= 15
        }
    }
}

static long loops(int n)
{
    long sum = 0;
#pragma omp parallel for num_threads(4) reduction(+ : sum) schedule(dynamic, 3)
    for (int i = 0; i < n; i++) {
        if (i % 4 == 0)            //= 100
            continue;
        sum += i;                  //= 75
        for (int k = 0; k < 2; k++)
            sum += k;              //= 150
    }
    return sum;                    //= 1
}

static void nested(void)
{
#pragma omp parallel num_threads(2) //= 1
    {
        sink = 1;                  //= 2
#pragma omp single
        sink = 2;                  //= 1
#pragma omp parallel num_threads(3) //= 2
        {
            sink = 3;              //= 6
#pragma omp critical
            sink = 4;              //= 6
        }
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < 10; i++)
            sink = i;              //= 10
    }
}

static int target(int n)
{
    int sum = 0;
#pragma omp target map(tofrom : sum) //= 1
    {
        for (int i = 0; i < n; i++)
            sum += i;              //= 10
        if (sum < 0)               //= 1
            sum = 0;               //= 0
    }
#pragma omp target teams num_teams(1) map(tofrom : sum)
    sum += 1;                      //= 1
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += i;                  //= 10
    return sum;                    //= 1
}

// A function in another one.
static int inside(int n)
{
    int sum = 0;
    int add(int x)
    {
        sum += x;                  //= 4
        return sum;                //= 4
    }
    for (int i = 0; i < n; i++)
        if (add(i) > 2)            //= 4
            sum--;                 //= 2
    return sum;                    //= 1
}

int main(void)
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
#pragma omp single
    tasks(7);                      //= 1
    for (int i = 0; i < 5; i++)
        sections();                //= 5
    long sum = loops(100);         //= 1
    nested();                      //= 1
    printf("%ld %d %d\n", sum, target(10), inside(4));
    return 0;                      //= 1
}
