/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that two compilations have in common: templates and members that are inlined
   here and called there.  */

#ifndef TRAIN_CLASSES_H
#define TRAIN_CLASSES_H

#include <stdexcept>

struct Shape {
    virtual ~Shape() = default;
    virtual int area(int scale) const = 0;
};

template <int Sides> struct Regular : Shape {
    int length;
    explicit Regular(int length) : length(length)
    {
        if (length < 0)
            throw std::invalid_argument("length");
    }
    int area(int scale) const override
    {
        int sum = 0;
        for (int i = 0; i < Sides; i++)
            if ((i * scale) % 3)
                sum += length * scale;
        return sum;
    }
};

struct Named {
    virtual ~Named() = default;
    virtual const char *name(int number) const = 0;
    virtual int pick(int count, ...) const = 0;
};

// Called by a pointer, and without a profile.
__attribute__((no_profile_instrument_function)) int quiet(int n);

// Its functions are called by way of Named with another address of the object.
struct Square : Shape, Named {
    int area(int scale) const override;
    const char *name(int number) const override;
    int pick(int count, ...) const override;
};

inline int collatz(int n)
{
    int steps = 0;
    for (; n > 1; steps++)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return steps;
}

int others(int n);

#endif
