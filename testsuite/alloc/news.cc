// SPDX-License-Identifier: GPL-3.0-or-later
// new in all its forms, and classes of libraries; prints lines NAME BYTES BLOCKS.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

struct Base {
    long a;
    virtual ~Base()
    {
    }
};

namespace space
{
struct Derived : Base {
    double d;
    explicit Derived(double x) : d(x)
    {
    }
};
template <class T> struct Box {
    T value;
    explicit Box(T v = T()) : value(v)
    {
    }
    ~Box()
    {
        value = 0;
    }
};
} // namespace space

struct alignas(64) Aligned {
    char bytes[128];
};

// Its own allocator is profiled, so what that gets is counted there alone.
struct Own {
    char bytes[24];
    static void *operator new(size_t size);
    static void operator delete(void *block)
    {
        free(block);
    }
};

static void *volatile keep;

__attribute__((noinline)) void *Own::operator new(size_t size)
{
    return malloc(size + 8);
}

static Base *derived()
{
    return new space::Derived(3);
}

static void arrays(int n)
{
    keep = new int[n];
    keep = new (std::nothrow) char[n];
    keep = new space::Box<int>[n](); // and their number, 8 bytes
}

static void placed()
{
    static char room[sizeof(space::Derived)];
    keep = new (room) space::Derived(4);
    keep = new Aligned;
}

static void too_much()
{
    static volatile size_t most = PTRDIFF_MAX / 2;
    try {
        keep = new char[most];
    } catch (const std::bad_alloc &) {
        keep = nullptr;
    }
    keep = new (std::nothrow) char[most];
}

static void throws()
{
    try {
        throw space::Box<long>(1);
    } catch (const space::Box<long> &box) {
        keep = const_cast<long *>(&box.value);
    }
}

int main()
{
    for (int i = 0; i < 100; i++)
        delete derived();
    arrays(10);
    placed();
    too_much();
    throws();
    keep = new Own;
    std::vector<double> numbers(50);
    keep = numbers.data();
    puts("derived 2400 100\narrays 98 3\nplaced 128 1\nthrows 8 1\nOwn::operator new 32 "
         "1\n"
         "main 400 1");
    fflush(stdout);
}
