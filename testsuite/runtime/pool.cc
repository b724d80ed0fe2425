/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads of C++ with names, in templates, lambdas and handlers. */

#include <pthread.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "burn.h"

template <typename Work> static void named(const std::string &name, Work work)
{
    pthread_setname_np(pthread_self(), name.c_str());
    try {
        work();
        throw std::runtime_error(name);
    } catch (const std::exception &) {
    }
}

int main()
{
    std::vector<std::thread> threads;
    for (int i = 1; i < 4; i++)
        threads.emplace_back(
            [i] { named("worker " + std::to_string(i), [i] { burn(0.03 * i); }); });
    burn(0.06);
    for (std::thread &thread : threads)
        thread.join();
}
