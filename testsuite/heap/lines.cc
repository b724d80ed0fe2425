// SPDX-License-Identifier: GPL-3.0-or-later
// As lines.c, in templates that are inlined.  What the library's headers allocate is on
// their lines.

#include <vector>

static void *volatile kept;

template <typename T> struct pool {
    static T *get(int count)
    {
        return new T[count]; // gets 5 800 keeps 5 800
    }
};

struct pair {
    long a, b;
};

__attribute__((noinline)) static void all()
{
    for (int i = 0; i < 3; i++)
        kept = pool<pair>::get(10);
    kept = pool<long>::get(20);
    kept = pool<char>::get(160);
    kept = new pair; // gets 1 16 keeps 1 16
    std::vector<int> vector(1000);
    kept = vector.data();
}

int main()
{
    all();
}
