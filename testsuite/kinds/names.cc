// SPDX-License-Identifier: GPL-3.0-or-later
// C++'s names: classes, namespaces, lambdas, templates, operators, constructors.

#include "two.h"

volatile uint64_t two_sink;

namespace ns
{

class Class
{
  public:
    explicit Class(long steps) : steps(steps)
    {
        KERNEL_SPIN(state, KERNEL_GAMMA, steps);
    }

    uint64_t method(uint64_t x) const
    {
        KERNEL_SPIN(x, KERNEL_ALPHA, steps);
        return x + state;
    }

    struct Nested {
        uint64_t operator()(uint64_t x, long steps) const
        {
            KERNEL_SPIN(x, KERNEL_DELTA, steps);
            return x;
        }
    };

  private:
    uint64_t state = 1;
    long steps;
};

namespace
{

uint64_t hidden(uint64_t x, long steps)
{
    KERNEL_SPIN(x, 0x41c64e6d, steps);
    return x;
}

} // namespace

template <typename F> uint64_t apply(F f, uint64_t x)
{
    return f(x);
}

static uint64_t with_lambda(uint64_t x, long steps)
{
    return apply(
        [steps](uint64_t y) {
            KERNEL_SPIN(y, KERNEL_BETA, steps);
            return y;
        },
        x);
}

} // namespace ns

static uint64_t alpha(uint64_t x, long steps)
{
    ns::Class c(steps / 10);

    for (int i = 0; i < 9; i++)
        x = c.method(x);
    x = ns::Class::Nested()(x, steps / 100);
    return ns::hidden(x, steps / 100);
}

int main()
{
    TWO_RUN(alpha, ns::with_lambda);
    return 0;
}
