// SPDX-License-Identifier: GPL-3.0-or-later
// Throws exceptions nearly all the time, through few frames and through many, on as
// many threads as the first argument says; for the seconds of CPU time of the second.

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

static volatile unsigned long thrown;

__attribute__((noinline)) static int thrower(int depth)
{
    struct Guard {
        ~Guard()
        {
            thrown = thrown + 1;
        }
    } guard;
    if (depth == 0)
        throw depth;
    return thrower(depth - 1) + 1;
}

static void throws(double seconds)
{
    timespec now;
    do {
        for (int depth = 0; depth < 40; depth++) {
            try {
                thrower(depth);
            } catch (int) {
            }
        }
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while (double(now.tv_sec) + 1e-9 * double(now.tv_nsec) < seconds);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    std::vector<std::thread> threads;
    for (int i = std::atoi(argv[1]); i > 1; i--)
        threads.emplace_back(throws, std::atof(argv[2]));
    throws(std::atof(argv[2]));
    for (auto &thread : threads)
        thread.join();
    std::puts("done");
}
