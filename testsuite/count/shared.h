// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that several objects hold.

#include <memory>

template <class T> T half(T x)
{
    return x / 2;
}

inline int inlined(int x)
{
    return half(x) + 1;
}

struct base {
    virtual ~base()
    {
    }
    virtual int value() const
    {
        return 1;
    }
};

struct derived : virtual base {
    int number;

    explicit derived(int n) : number(n)
    {
    }
    ~derived() override
    {
    }
    int value() const override
    {
        return inlined(number);
    }
};

struct most : derived {
    most() : derived(3)
    {
    }
};

int second(int n);
