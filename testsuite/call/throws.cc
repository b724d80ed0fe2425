// SPDX-License-Identifier: GPL-3.0-or-later
// An exception that knows where it was thrown; and one that nobody catches.

#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>

#include "ccprof.h"

struct failure {
    failure() : count(ccprof_chain(frames, 32)) // failure
    {
    }
    int count;
    ccprof_frame frames[32];
};

namespace parts
{

struct part {
    template <typename T> inline void take(T value)
    {
        if (value < 10)
            throw failure(); // throw
        std::puts("taken");
    }
};

__attribute__((noinline)) static void give(int value)
{
    part().take(value); // give
}

} // namespace parts

static void print(const failure &caught)
{
    for (int i = 0; i < caught.count; i++)
        if (caught.frames[i].file)
            std::printf("%s  %s: %u\n", caught.frames[i].function, caught.frames[i].file,
                        caught.frames[i].line);
}

int main(int argc, char **)
{
    auto handler = [] {
        ccprof_chain_print(1); // lambda
        std::fflush(stdout);
    };
    if (argc > 1)
        parts::give(1); // main-uncaught
    try {
        parts::give(argc); // main
    } catch (const failure &caught) {
        print(caught);
    }
    std::thread(handler).join();
    std::set_new_handler(nullptr);
    return 0;
}
