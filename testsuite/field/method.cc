// SPDX-License-Identifier: GPL-3.0-or-later
// A method that a library calls.  Prints the name and the share of each function by the
// clock.

#include <cstdio>
#include "library.h"

class User : public Library
{
  public:
    double spent_here = 0;

  protected:
    uint64_t next(uint64_t x) override
    {
        KERNEL_TIMED(spent_here, KERNEL_SPIN(x, KERNEL_ALPHA, 20000));
        return x;
    }
};

static volatile uint64_t sink;

__attribute__((noinline)) static void user(User *of, long turns)
{
    sink = of->work(sink, turns);
}

int main()
{
    User made;
    double start = KERNEL_SECONDS();
    uint64_t random = 88172645463325252u;
    while (KERNEL_SECONDS() < start + 0.3)
        user(&made, kernel_random(&random, 3, 8));
    double whole = KERNEL_SECONDS() - start;
    std::printf("User::next %.2f\nuser %.2f\n", 100 * made.spent_here / whole,
                100 * made.spent / whole);
    return 0;
}
