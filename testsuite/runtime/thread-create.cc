// SPDX-License-Identifier: GPL-3.0-or-later
// thread-create N: as many threads one after the other, made by the C++ library, each of
// a bit more than 1 ms of CPU time; prints the seconds that they spent in what they were
// made for.

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "burn.h"

static double spent;

static double now()
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void work()
{
    double start = now();
    burn(0.001);
    spent += now() - start;
}

int main(int argc, char **argv)
{
    for (int i = argc > 1 ? std::atoi(argv[1]) : 0; i > 0; i--)
        std::thread(work).join();
    std::printf("%.4f\n", spent);
    return 3;
}
