// SPDX-License-Identifier: GPL-3.0-or-later
// C++ as train has to count it: virtual calls, templates, exceptions, lambdas, static
// functions of one name in two compilations, constructors of statics, and threads.

#include "classes.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

static int local(int n)
{
    return n % 5 ? n / 5 : -n;
}

static int tries(int n)
{
    try {
        return Regular<4>(n % 3 - 1).area(n);
    } catch (const std::invalid_argument &) {
        return local(n);
    }
}

static volatile int zero;
static const int start = collatz(27 + zero);

int main(int argc, char **)
{
    std::vector<std::unique_ptr<Shape>> shapes;
    int sum = start;
    for (int i = 0; i < 50; i++) {
        if (i % 3)
            shapes.emplace_back(new Regular<3>(i));
        else
            shapes.emplace_back(new Regular<7>(i));
        sum += tries(i) + others(i) + collatz(i);
    }
    std::sort(shapes.begin(), shapes.end(),
              [](const auto &a, const auto &b) { return a->area(2) < b->area(2); });
    const Square square;
    const Named *volatile named = &square;
    int (*volatile call)(int) = quiet;
    for (int i = 0; i < 33; i++)
        sum += named->name(i)[0] + call(i);
    for (int i = 0; i < 21; i++)
        sum += named->pick(2, i, 3 * i);
    int parts[8] = {};
    std::vector<std::thread> threads;
    const auto count = [&parts](int t) {
        for (int i = 0; i < 20000; i++)
            parts[t] += collatz(i % 97) + tries(i);
    };
    // With an argument in one thread: what is executed first is certain.
    for (int t = 0; t < 8; t++)
        if (argc > 1)
            count(t);
        else
            threads.emplace_back(count, t);
    for (auto &thread : threads)
        thread.join();
    for (int part : parts)
        sum += part;
    std::printf("%d %d\n", sum, shapes.front()->area(5));
}
