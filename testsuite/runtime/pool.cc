/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads of C++ with known CPU times, in templates, lambdas and handlers.  With an
   argument as many threads one after the other, each of a bit more than 1 ms of CPU time;
   prints the seconds that they spent in what they were made for.  */

#include <cstdlib>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "burn.h"
#include "own.h"

template <typename Work> static void named(const std::string &name, Work work)
{
    pthread_setname_np(pthread_self(), name.c_str());
    try {
        work();
        throw std::runtime_error(name);
    } catch (const std::exception &) {
        own_end();
    }
}

static double spent;

static double now()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

static void brief()
{
    double start = now();
    burn(0.001);
    spent += now() - start;
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        for (int i = std::atoi(argv[1]); i > 0; i--)
            std::thread(brief).join();
        std::printf("%.4f\n", spent);
        return 0;
    }
    std::vector<std::thread> threads;
    for (int i = 1; i < 4; i++)
        threads.emplace_back(
            [i] { named("worker " + std::to_string(i), [i] { burn(0.03 * i); }); });
    burn(0.06);
    for (std::thread &thread : threads)
        thread.join();
    own_end();
    own_print();
}
