// SPDX-License-Identifier: GPL-3.0-or-later
// new in all its forms, and what the library allocates, in code of its own and in code of
// the program; with an argument nothing. With OWN_NEW it has an operator new of its own.

#include <cstdint>
#include <cstdlib>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <vector>

static void *volatile sink;

#ifdef OWN_NEW
void *operator new(std::size_t bytes)
{
    void *block = std::malloc(bytes);
    if (!block)
        throw std::bad_alloc();
    return block;
}

void operator delete(void *block) noexcept
{
    std::free(block);
}

void operator delete(void *block, std::size_t) noexcept
{
    std::free(block);
}
#endif

namespace space
{
struct Base {
    virtual ~Base() = default;
    long value = 0;
};

struct Derived : Base {
    char more[40] = {};
};

// Its arrays have their length in front. It has another size than what else is in
// vectors: GCC joins functions of equal code.
struct Counted {
    long number = 1;
    ~Counted()
    {
        sink = &number;
    }
};

template <typename T> struct Box {
    T content[3];
};

template <typename T> __attribute__((noinline)) static T *make()
{
    return new T();
}
} // namespace space

struct alignas(64) Wide {
    char bytes[128];
};

// Its own allocator gets more.
struct Own {
    char bytes[24];
    __attribute__((noinline)) static void *operator new(std::size_t size)
    {
        return std::malloc(size + 8);
    }
    static void operator delete(void *block)
    {
        std::free(block);
    }
};

using namespace space;

__attribute__((noinline)) static void news()
{
    Base *base = new Derived;
    sink = base;
    sink = new Counted[5];
    sink = new (std::nothrow) Counted;
    sink = make<Box<int>>();
    sink = make<Box<Derived>>();
    sink = new Wide;
    sink = new char[33];
    sink = new double(1.5);
    sink = new int *[6];
}

__attribute__((noinline)) static void own()
{
    static char room[sizeof(Derived)];
    sink = new (room) Derived;
    sink = new Own;
}

// Not what all allocators do alike, and nothing that valgrind can do.
#ifdef FAILS
__attribute__((noinline)) static void fails()
{
    static volatile std::size_t most = PTRDIFF_MAX / 4;
    try {
        sink = new short[most];
    } catch (const std::bad_alloc &) {
        sink = nullptr;
    }
    sink = new (std::nothrow) short[most];
}
#endif

__attribute__((noinline)) static void throws()
{
    try {
        throw Box<long>();
    } catch (const Box<long> &box) {
        sink = const_cast<long *>(box.content);
    }
}

__attribute__((noinline)) static void containers()
{
    auto *numbers = new (sink) std::vector<int>;
    for (int i = 0; i < 1000; i++)
        numbers->push_back(i);
    std::vector<Counted> counted(7);
    sink = counted.data();
    std::list<Wide *> list(9, nullptr);
    sink = &list;
    std::map<int, long> map;
    for (int i = 0; i < 10; i++)
        map[i] = i;
    std::string text("a text that is too long to stay in the string");
    sink = &text[0];
    auto unique = std::make_unique<Box<char>>();
    sink = unique.get();
}

// In code of the library's own.
__attribute__((noinline)) static void printed()
{
    std::ostringstream out;
    for (int i = 0; i < 1000; i++)
        out << i;
    sink = out.str().data();
}

int main(int count, char **)
{
    if (count > 1)
        return 0;
    static char room[sizeof(std::vector<int>)];
    sink = room;
    news();
    own();
#ifdef FAILS
    fails();
#endif
    throws();
    sink = room;
    containers();
    printed();
}
