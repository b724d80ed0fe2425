// Loops of which it is known what GCC does with them (plugin-remarks.test).

#include <vector>

#define NOINLINE __attribute__((noinline, noclone))
#define SIZE     1024
#define TIMES    150000

extern "C" int change(int x);

template <class T> struct operation {
    static inline __attribute__((always_inline)) void scale(T *dst, const T *src)
    {
        for (int i = 0; i < SIZE; i++)
            dst[i] = src[i] * 2;
    }
};

NOINLINE void aliased(std::vector<float> &to, const std::vector<float> &from)
{
    operation<float>::scale(to.data(), from.data());
}

NOINLINE void apart(float *__restrict to, const float *__restrict from)
{
    operation<float>::scale(to, from);
}

NOINLINE void counted(std::vector<int> &a, int n)
{
    int *first = a.data();
    for (int i = 0; i < n; i++)
        first[i] += 3;
}

NOINLINE void calls(std::vector<int> &a)
{
    for (int &element : a)
        element = change(element);
}

NOINLINE float reduced(const float *a)
{
    float p = 1;
    for (int i = 0; i < SIZE; i++)
        p *= a[i];
    return p;
}

int main()
{
    std::vector<float> x(SIZE), y(SIZE);
    std::vector<int> z(SIZE);

    for (int i = 0; i < TIMES; i++) {
        aliased(x, y);
        apart(x.data(), y.data());
        counted(z, i % 2 ? SIZE : SIZE - 1);
        if (i % 2 == 0)
            calls(z);
        x[0] += reduced(y.data());
    }
    return x[0] == 1;
}
