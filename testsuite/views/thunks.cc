// SPDX-License-Identifier: GPL-3.0-or-later
// What the compiler puts between a call and the function that is called: thunks that move
// `this', by a constant or through a virtual base, thunks that convert what is returned,
// inherited constructors, bodies of constructors and destructors for whole objects, for
// bases and for delete.  Each function counts; main prints what they have counted.

#include <cstdio>

#define KEPT __attribute__((noipa))

enum { F, G, H, COPY, MADE, GONE, COUNTERS };
static int calls[COUNTERS];

struct one {
    virtual int f() = 0;
    virtual one *copy() = 0;
    int a = 1;
};

struct two {
    virtual int g() = 0;
    virtual two *copy() = 0;
    virtual ~two() = default;
    int b = 2;
};

struct three {
    virtual int h() = 0;
    int c = 3;
};

struct with_number : two {
    explicit with_number(int n)
    {
        calls[MADE]++;
        b = n;
    }
    ~with_number()
    {
        calls[GONE]++;
    }
};

struct both : one, with_number, virtual three {
    using with_number::with_number;

    int f() override
    {
        calls[F]++;
        return a;
    }
    int g() override
    {
        calls[G]++;
        return b;
    }
    int h() override
    {
        calls[H]++;
        return c;
    }
    both *copy() override
    {
        calls[COPY]++;
        return this;
    }
};

KEPT int through_one(one *object)
{
    return object->f();
}

KEPT int through_two(two *object)
{
    return object->g();
}

KEPT int through_three(three *object)
{
    return object->h();
}

KEPT int copied(one *object, two *other)
{
    return object->copy()->a + other->copy()->b;
}

KEPT void drop(two *object)
{
    delete object;
}

int main()
{
    int sum = 0;

    for (int i = 0; i < 10; i++) {
        both *object = new both(i);
        sum += through_one(object) + copied(object, object);
        for (int k = 0; k < 2; k++)
            sum += through_two(object);
        for (int k = 0; k < 3; k++)
            sum += through_three(object);
        drop(object);
    }
    std::printf("both::f %d\nboth::g %d\nboth::h %d\nboth::copy %d\n"
                "with_number::with_number %d\nwith_number::~with_number %d\n",
                calls[F], calls[G], calls[H], calls[COPY], calls[MADE], calls[GONE]);
    return sum < 0;
}
