// SPDX-License-Identifier: GPL-3.0-or-later
// Calls library code that allocates, in the ways by which it could be told wrongly who
// has called it. AT says so to pathnew.cc.

#include "pathplug.h"

#include <pathlib.h>

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

void unprofiled(void);

struct at {
    int before;
    explicit at(int line) : before(path_line)
    {
        path_line = line;
    }
    ~at()
    {
        path_line = before;
    }
};
#define AT(what)                                                                         \
    do {                                                                                 \
        at here(__LINE__);                                                               \
        what;                                                                            \
    } while (0)

static void nothing()
{
}

static void small()
{
    AT(lib::get<20>(0));
}

static void throws()
{
    AT(lib::get<30>(0));
    throw 1;
}

static void around()
{
    AT(lib::call<40>(small));
}

__attribute__((noinline)) static void catches()
{
    try {
        AT(lib::pass(throws));
    } catch (int) {
        AT(lib::get<50>(0));
    }
    AT(lib::get<51>(0));
}

// The call of the library is the last thing that it does.
__attribute__((noinline)) static long ends()
{
    path_line = __LINE__ + 1;
    return lib::tail<60>(3);
}

__attribute__((noinline)) static void in_tail()
{
    ends();
}

static void again(int depth)
{
    AT(lib::get<70>(depth));
    if (depth > 0)
        AT(lib::call<71>([depth] { again(depth - 1); }));
    AT(lib::get<72>(depth));
}

static jmp_buf back;

static void jumps()
{
    path_line = __LINE__ + 1;
    lib::get<80>(0);
    longjmp(back, 1);
}

__attribute__((noinline)) static void jumped()
{
    if (!setjmp(back)) {
        path_line = __LINE__ + 1;
        lib::call<81>(jumps);
    }
    path_line = 0;
    AT(lib::get<82>(0));
}

static bool is_less(int a, int b)
{
    AT(lib::get<90>(0));
    return a < b;
}

static void containers()
{
    std::vector<int> v;
    std::map<int, std::string> m;
    std::vector<std::string> s;
    for (int i = 0; i < 100; i++)
        AT(v.push_back(i));
    for (int i = 0; i < 50; i++)
        AT(m[i * 7 % 50] += std::string(100, 'a'));
    for (int i = 0; i < 30; i++)
        AT(s.emplace_back(40, 'b'));
    AT(std::vector<std::string> t = s);
    AT(std::stable_sort(s.begin(), s.end()));
    AT(std::sort(v.begin(), v.end(), is_less));
    AT(lib::most(v.data(), v.data() + 10, is_less));
    AT(std::for_each(v.begin(), v.begin() + 3, [](int) { small(); }));
}

static volatile long unused;

static void functions()
{
    void (*pointer)(int) = lib::get<110>;
    __asm__("" : "+r"(pointer));
    lib::shape plain, *shape = &plain;
    __asm__("" : "+r"(shape));
    std::function<void()> function;
    long numbers[4] = {};

    AT(pointer(1));
    AT(shape->draw(1));
    AT((function = [numbers] { unused = numbers[1], small(); }));
    AT(std::function<void()> copy = function);
    AT(function());
    AT(qsort(numbers, 2, sizeof *numbers, lib::compare<120>));
}

static void threads()
{
    std::vector<std::thread> all;
    AT(all.reserve(8));
    for (int i = 0; i < 8; i++)
        AT(all.emplace_back(again, i));
    for (auto &thread : all)
        thread.join();
}

// The call in tail position was the last thing that the shared object did.
static void unload()
{
    void *object = dlopen("./libpathplug.so", RTLD_NOW);
    if (!object)
        exit(2);
    plug *plugged = *(plug **)dlsym(object, "plug_object");
    plugged->run();
    plugged->end();
    path_line = 0;
    dlclose(object);
    unprofiled();
}

int main()
{
    AT(lib::call<10>(nothing));
    AT(lib::call<11>(around));
    AT(lib::here<12>(around));
    AT(lib::guard<13>(throws));
    AT(lib::guard<14>(nothing));
    AT(lib::guard<15>(catches));
    AT(lib::call<16>(in_tail));
    AT(lib::call<17>(jumped));
    AT(again(3));
    containers();
    functions();
    threads();
    unload();
    // So that the profiled object has it.
    AT(lib::get<77>(1));
}
