// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that are entered in several ways: a destructor by `delete' and at the end of
// a block, and a lambda by a pointer and by its name.

static volatile int sum;

struct shape {
    virtual ~shape() { sum = sum + 1; }
};

struct circle : shape {
    ~circle() override { sum = sum + 2; }
};

__attribute__((noipa)) static void drop(shape *of) { delete of; }

__attribute__((noipa)) static int apply(int (*f)(int), int n)
{
    int all = 0;
    for (int i = 0; i < n; i++)
        all += f(i);
    return all;
}

int main()
{
    auto twice = [](int x) {
        sum = sum + x;
        return 2 * x;
    };
    for (int i = 0; i < 100; i++)
        drop(new circle);
    for (int i = 0; i < 40; i++)
        circle here;
    sum = sum + apply(twice, 30);
    for (int i = 0; i < 7; i++)
        sum = sum + twice(i);
}
