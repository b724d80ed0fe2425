// SPDX-License-Identifier: GPL-3.0-or-later
// Not profiled: adds up what is asked for by the line that the program says, and prints
// `LINE BYTES BLOCKS' for each at the end.

#include <pathlib.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

thread_local int path_line;

static std::atomic<size_t> bytes[1000], blocks[1000];

void *operator new(size_t size)
{
    bytes[path_line] += size;
    blocks[path_line]++;
    return malloc(size);
}

void operator delete(void *block) noexcept
{
    free(block);
}

void operator delete(void *block, size_t) noexcept
{
    free(block);
}

// Its copy of the function may be the profiled one.
void unprofiled(void)
{
    lib::get<77>(0);
}

__attribute__((destructor)) static void tell()
{
    for (int i = 0; i < 1000; i++)
        if (blocks[i])
            printf("%d %zu %zu\n", i, bytes[i].load(), blocks[i].load());
}
