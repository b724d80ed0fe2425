// SPDX-License-Identifier: GPL-3.0-or-later
// An independent model of inclusive counts, on -finstrument-functions: each call counts
// for each function that is on the stack, once. It walks its stack at each call. Frames
// that were cut off are found by their addresses. Prints a line `ADDRESS OWN INCLUSIVE'
// for each function; and on standard error each `enter ADDRESS' and `leave ADDRESS',
// behind two blanks for each open call, of threads other than the first one behind `[]'.
// Not for speed.

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <unistd.h>

#define HIDDEN __attribute__((no_instrument_function))

struct Entry {
    void *function;
    char *frame;
};

struct Numbers {
    unsigned long own, inclusive;
};

static std::mutex lock;
static std::map<void *, Numbers> numbers;

struct Stack {
    std::vector<Entry> entries;
};

static thread_local Stack stack;
static thread_local bool busy;

HIDDEN static void print()
{
    for (const auto &n : numbers)
        printf("%016lx %lu %lu\n", reinterpret_cast<unsigned long>(n.first), n.second.own,
               n.second.inclusive);
}

HIDDEN static void tell(const char *what, void *function)
{
    fprintf(stderr, "%s%*s%s %016lx\n", getpid() == gettid() ? "" : "[]",
            static_cast<int>(2 * stack.entries.size()), "", what,
            reinterpret_cast<unsigned long>(function));
}

// The stack grows downwards.
HIDDEN static void cut(const char *frame)
{
    while (!stack.entries.empty() && stack.entries.back().frame < frame) {
        void *function = stack.entries.back().function;
        stack.entries.pop_back();
        tell("leave", function);
    }
}

extern "C" {

HIDDEN void __cyg_profile_func_enter(void *function, void *)
{
    static bool first = true;
    if (busy)
        return;
    busy = true;
    lock.lock();
    if (first)
        atexit(print);
    first = false;
    char *frame = static_cast<char *>(__builtin_dwarf_cfa());
    cut(frame + 1);
    tell("enter", function);
    stack.entries.push_back({function, frame});
    std::set<void *> seen;
    numbers[function].own++;
    for (const Entry &entry : stack.entries)
        if (seen.insert(entry.function).second)
            numbers[entry.function].inclusive++;
    lock.unlock();
    busy = false;
}

HIDDEN void __cyg_profile_func_exit(void *, void *)
{
    if (!busy)
        cut(static_cast<char *>(__builtin_dwarf_cfa()) + 1);
}
}
