// SPDX-License-Identifier: GPL-3.0-or-later
// Who is the last one known to have called outside_one or outside_two, which have no
// tables: each of these spends the same time.

#define NOIPA __attribute__((noipa))

extern "C" unsigned outside_one(unsigned n), outside_two(unsigned n);

// In a shared object of its own, of which nothing else is executed.
extern "C" unsigned alone(unsigned n);

static const unsigned N = 10000000;

// A method, and a function that is inlined in it.
struct Box {
    unsigned n;
    NOIPA unsigned method() const
    {
        return last(n);
    }
    static inline unsigned last(unsigned x)
    {
        return outside_one(x);
    }
    virtual ~Box() = default;
};

template <typename T> NOIPA unsigned instance(T n)
{
    return outside_one((unsigned)n);
}

// What is called outside tells which one it was.
NOIPA unsigned to_one(unsigned n)
{
    return outside_one(n);
}
NOIPA unsigned to_two(unsigned n)
{
    return outside_two(n);
}
NOIPA unsigned chooser(bool which, unsigned n)
{
    return which ? to_one(n) : to_two(n);
}

// It does not tell which one, but the first is known.
NOIPA unsigned left(unsigned n)
{
    return outside_one(n);
}
NOIPA unsigned right(unsigned n)
{
    return outside_one(n | 1);
}
NOIPA unsigned fork(bool which, unsigned n)
{
    return which ? left(n) : right(n);
}

// The function is known, the line is not.
NOIPA unsigned lines(bool which, unsigned n)
{
    if (which) {
        asm volatile("nop");
        return outside_one(n);
    }
    asm volatile("nop; nop");
    return outside_one(n | 3);
}

// By a pointer.
NOIPA unsigned by_pointer(unsigned (*function)(unsigned), unsigned n)
{
    return function(n);
}

// By a pointer that the jump itself reads.
__attribute__((used)) unsigned (*stored)(unsigned) = outside_one;
NOIPA unsigned by_memory(unsigned n)
{
    return stored(n);
}

// Functions that take turns.
NOIPA unsigned odd(unsigned turns, unsigned n);
NOIPA unsigned even(unsigned turns, unsigned n)
{
    return turns ? odd(turns - 1, n) : n;
}
NOIPA unsigned odd(unsigned turns, unsigned n)
{
    return turns ? even(turns - 1, n) : outside_one(n);
}

// A call by a pointer does not say whom it calls.
static unsigned (*volatile any)(unsigned) = to_two;
NOIPA unsigned teller(unsigned n)
{
    return any(n) + 1;
}

// A function that calls none, and one that calls and goes on.
NOIPA unsigned innocent(unsigned n)
{
    return n * 5;
}
NOIPA unsigned itself(unsigned n)
{
    return innocent(n) + outside_one(innocent(n) / 5) + to_one(1);
}

int main()
{
    Box box;
    unsigned sum = 0;
    for (unsigned i = 0; i < 4; i++) {
        bool which = i & 1;
        box.n = N;
        sum += box.method() + instance(N) + instance((long)N);
        sum += chooser(which, N) + fork(which, N) + lines(which, N);
        sum += by_pointer(outside_one, N) + by_memory(N) + odd(10, N) + itself(N);
        sum += teller(N) + alone(N);
    }
    return sum == 1;
}
