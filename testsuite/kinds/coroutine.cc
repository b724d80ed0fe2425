// SPDX-License-Identifier: GPL-3.0-or-later
// Coroutines: one that works between its suspensions, and two instances of a template.

#include <coroutine>
#include <exception>
#include "kernel.h"

template <class T> struct Generator {
    struct promise_type {
        T value = 0;

        Generator get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() noexcept
        {
            return {};
        }
        std::suspend_always final_suspend() noexcept
        {
            return {};
        }
        std::suspend_always yield_value(T x) noexcept
        {
            value = x;
            return {};
        }
        void return_void()
        {
        }
        void unhandled_exception()
        {
            std::terminate();
        }
    };

    std::coroutine_handle<promise_type> handle;
};

static inline uint64_t helper(uint64_t x, long steps)
{
    KERNEL_SPIN(x, KERNEL_BETA, steps);
    return x;
}

static Generator<uint64_t> numbers(uint64_t x, long steps)
{
    for (int i = 0; i < 5; i++) {
        KERNEL_SPIN(x, KERNEL_ALPHA, steps);
        co_yield x;
        x = helper(x, steps);
    }
}

namespace ns
{
template <class T> Generator<T> seq(T n)
{
    for (T i = 0; i < n; i++)
        co_yield i;
}
} // namespace ns

template <class T> static T last(Generator<T> of)
{
    while (of.handle.resume(), !of.handle.done())
        ;
    T value = of.handle.promise().value;
    of.handle.destroy();
    return value;
}

int main()
{
    return last(numbers(1, 1000)) + (unsigned)last(ns::seq<int>(2)) +
               last(ns::seq<long>(3)) ==
           0;
}
