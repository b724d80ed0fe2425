// SPDX-License-Identifier: GPL-3.0-or-later
// As types.c.  With OWN_NEW it has an operator new of its own, which counts what it is
// asked for under the type that is expected then; without it nothing is printed.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

// GCC 15 and later take operators new for functions that look at no variable of the
// program.
static const char *volatile expected = "?";
static void *volatile sink;

static struct {
    const char *type;
    unsigned long blocks, bytes;
} counts[40];

static void count(std::size_t bytes)
{
    int i = 0;
    while (counts[i].type && std::strcmp(counts[i].type, expected) != 0)
        i++;
    counts[i].type = expected;
    counts[i].blocks++;
    counts[i].bytes += bytes;
}

#ifdef OWN_NEW
void *operator new(std::size_t bytes)
{
    count(bytes);
    void *block = std::malloc(bytes);
    if (!block)
        std::abort();
    return block;
}

void *operator new[](std::size_t bytes)
{
    return operator new(bytes);
}

void *operator new(std::size_t bytes, std::align_val_t)
{
    count(bytes);
    return std::aligned_alloc(64, bytes);
}

void operator delete(void *block) noexcept
{
    std::free(block);
}

void operator delete(void *block, std::size_t) noexcept
{
    std::free(block);
}

void operator delete[](void *block) noexcept
{
    std::free(block);
}

void operator delete(void *block, std::align_val_t) noexcept
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

// Its arrays have their length in front.  It has another size than what else is in
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

using namespace space;

__attribute__((noinline)) static void news()
{
    expected = "space::Derived";
    Base *base = new Derived;
    sink = base;
    expected = "space::Counted";
    sink = new Counted[5];
    sink = new (std::nothrow) Counted;
    expected = "space::Box<int>";
    sink = make<Box<int>>();
    expected = "space::Box<space::Derived>";
    sink = make<Box<Derived>>();
    expected = "Wide";
    sink = new Wide;
    expected = "char";
    sink = new char[33];
    expected = "double";
    sink = new double(1.5);
    expected = "int *";
    sink = new int *[6];
}

__attribute__((noinline)) static void containers()
{
    expected = "int";
    auto *numbers = new (sink) std::vector<int>;
    for (int i = 0; i < 1000; i++)
        numbers->push_back(i);
    expected = "space::Counted";
    std::vector<Counted> counted(7);
    sink = counted.data();
    expected = "std::_List_node<Wide*>";
    std::list<Wide *> list(9, nullptr);
    sink = &list;
    expected = "std::_Rb_tree_node<std::pair<const int, long int> >";
    std::map<int, long> map;
    for (int i = 0; i < 10; i++)
        map[i] = i;
    expected = "char";
    std::string text("a text that is too long to stay in the string");
    sink = &text[0];
    expected = "space::Box<char>";
    auto unique = std::make_unique<Box<char>>();
    sink = unique.get();
}

int main()
{
    static char room[sizeof(std::vector<int>)];
    sink = room;
    news();
    sink = room;
    containers();
    for (int i = 0; counts[i].type; i++)
        std::fprintf(stderr, "%lu %lu %s\n", counts[i].blocks, counts[i].bytes,
                     counts[i].type);
}
