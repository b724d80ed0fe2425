// SPDX-License-Identifier: GPL-3.0-or-later
// What the compiler puts between a call and the function that is called: thunks that move
// `this', by a constant or through a virtual base, thunks that convert what is returned,
// inherited constructors, bodies of constructors and destructors for whole objects, for
// bases and for delete, entries of lambdas that are made pointers. Each function counts;
// main prints what they have counted.

#include <cstdio>
#include <cstdlib>

#define KEPT __attribute__((noipa))

enum { F, G, H, COPY, MADE, GONE, PLAIN, MUTABLE, GENERIC, COUNTERS };
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

static void each(int n, int (*function)(int))
{
    for (int i = 0; i < n; i++)
        function(i);
}

static void plain()
{
    int numbers[40];

    for (int i = 0; i < 40; i++)
        numbers[i] = i * 7 % 40;
    std::qsort(numbers, 40, sizeof *numbers, [](const void *a, const void *b) {
        calls[PLAIN]++;
        return *(const int *)a - *(const int *)b;
    });
}

static void with_mutable()
{
    each(11, [](int x) mutable {
        calls[MUTABLE]++;
        return x += 1;
    });
}

static void generic()
{
    auto any = [](auto x) {
        calls[GENERIC]++;
        return x;
    };
    each(12, any);
    any(1);
}

int main()
{
    int sum = 0;

    plain();
    with_mutable();
    generic();
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
    std::printf("plain.lambda %d\nwith_mutable.lambda %d\ngeneric.lambda<int> %d\n",
                calls[PLAIN], calls[MUTABLE], calls[GENERIC]);
    return sum < 0;
}
