// SPDX-License-Identifier: GPL-3.0-or-later
// births N: as many threads one after the other, made by the C++ library, each of 1 ms of
// CPU time.

#include <cstdlib>
#include <thread>

#include "burn.h"

int main(int argc, char **argv)
{
    for (int i = argc > 1 ? std::atoi(argv[1]) : 0; i > 0; i--)
        std::thread(burn, 0.001).join();
    return 3;
}
