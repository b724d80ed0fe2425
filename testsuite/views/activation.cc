// SPDX-License-Identifier: GPL-3.0-or-later
// Each delete runs the destructor that also frees, which calls the one that does the
// work.

#include <cstdio>

struct base {
    virtual ~base();
    int *cell;
};

int table[100];

__attribute__((noipa)) void work(int *cell)
{
    for (int i = 0; i < 3000; i++)
        *cell = *cell * 5 + i;
}

__attribute__((noinline)) base::~base()
{
    work(cell);
}

__attribute__((noipa)) void drop(base *object)
{
    delete object;
    table[99]++;
}

int main()
{
    for (int i = 0; i < 50000; i++) {
        base *object = new base;
        object->cell = &table[i % 100];
        drop(object);
    }
    std::printf("%d\n", table[5]);
}
