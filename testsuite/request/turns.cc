// SPDX-License-Identifier: GPL-3.0-or-later
// Two threads compute in early, and after a line of input in late, with templates,
// exceptions and inlined functions. Prints `ready', and then `late'.

#include <cstdio>
#include <stdexcept>
#include <thread>
#include <vector>

static volatile double sink;
static volatile bool is_late;

template <class T> static inline T mixed(T a, int i)
{
    return a + a * T(.5) + T(i);
}

template <class T> struct turn {
    std::vector<T> values = std::vector<T>(1000);

    __attribute__((noinline)) T early()
    {
        T sum = 0;
        for (int i = 0; i < 1000; i++)
            sum = mixed(sum, i) + values[i];
        return sum;
    }

    __attribute__((noinline)) T late()
    {
        T sum = 1;
        for (int i = 0; i < 1000; i++)
            sum = mixed(sum, i) - values[i];
        return sum;
    }
};

static void compute()
{
    turn<double> one;

    for (int i = 0;; i++) {
        sink = is_late ? one.late() : one.early();
        try {
            if (i % 1000 == 0)
                throw std::runtime_error("now and then");
        } catch (const std::exception &) {
        }
    }
}

int main()
{
    char line[10];
    std::thread first(compute), second(compute);

    std::puts("ready");
    std::fflush(stdout);
    if (!std::fgets(line, sizeof line, stdin))
        return 1;
    is_late = true;
    std::puts("late");
    std::fflush(stdout);
    first.join();
}
