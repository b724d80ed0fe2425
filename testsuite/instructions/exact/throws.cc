// SPDX-License-Identifier: GPL-3.0-or-later
// Exceptions that end blocks in callers, with cleanups, rethrows, a destructor that is
// run on the way, noexcept, virtual calls, member pointers, lambdas, statics with guards,
// thread_local, a coroutine-like generator of closures.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

namespace
{

int sum;

struct Guard {
    int value;
    explicit Guard(int value) : value(value)
    {
        sum += value;
    }
    ~Guard()
    {
        sum -= value / 2;
    }
    Guard(const Guard &) = delete;
    Guard &operator=(const Guard &) = delete;
};

__attribute__((noinline)) int callee(int i)
{
    if (i % 5 == 3)
        throw i;
    if (i % 7 == 5)
        throw std::runtime_error("seven");
    return i * 2;
}

// One block has both calls.
__attribute__((noinline)) int around(int i)
{
    int a = sum * 3 + i;
    int b = callee(i);
    int c = callee(i + 1);
    return a + b * c;
}

__attribute__((noinline)) int cleaned(int i)
{
    Guard first(i);
    int a = callee(i);
    Guard second(a);
    return a + around(i + 2);
}

__attribute__((noinline)) int rethrown(int i)
{
    try {
        return cleaned(i);
    } catch (int value) {
        sum += value;
        if (value % 2 != 0)
            throw;
        return value;
    }
}

struct Base {
    virtual ~Base() = default;
    virtual int step(int i) const = 0;
    int twice(int i) const
    {
        return step(step(i) % 100);
    }
};

struct Add final : Base {
    int step(int i) const override
    {
        return i + 3;
    }
};

struct Fail : Base {
    int step(int i) const override
    {
        if (i % 4 == 0)
            throw std::string("four");
        return i * 3;
    }
};

__attribute__((noinline)) int once(int i)
{
    static const int first = callee(i);
    thread_local int calls = 0;
    return first + ++calls;
}

template <typename F> __attribute__((noinline)) int apply(F f, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += f(i);
    return total;
}

__attribute__((noinline)) int safe(int i) noexcept
{
    try {
        return callee(i);
    } catch (...) {
        return -i;
    }
}

} // namespace

int main()
{
    for (int i = 0; i < 24; i++)
        try {
            sum += rethrown(i);
        } catch (int value) {
            sum ^= value;
        } catch (const std::exception &error) {
            sum += error.what()[0];
        }
    std::unique_ptr<Base> steps[2] = {std::make_unique<Add>(), std::make_unique<Fail>()};
    int (Base::*member)(int) const = &Base::twice;
    for (int i = 0; i < 20; i++)
        try {
            sum += (*steps[i % 2].*member)(i) + once(i);
        } catch (const std::string &text) {
            sum += static_cast<int>(text.size());
        }
    int seen = 0;
    sum += apply([&seen](int i) { return seen += safe(i); }, 15);
    std::printf("%d\n", sum);
    try {
        Guard guard(1);
        cleaned(3);
    } catch (int) {
        std::exit(0);
    }
}
