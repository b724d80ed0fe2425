// Loops of which it is known what GCC does with them (plugin-remarks.test).

#define NOINLINE __attribute__((noinline, noclone))
#define SIZE     1024
#define TIMES    150000

int change(int x);

static inline __attribute__((always_inline)) void scale(float *dst, const float *src)
{
    for (int i = 0; i < SIZE; i++)
        dst[i] = src[i] * 2;
}

NOINLINE void aliased(float *dst, const float *src)
{
    scale(dst, src);
}

NOINLINE void apart(float *restrict dst, const float *restrict src)
{
    scale(dst, src);
}

// Both copies are in one function.
NOINLINE void both(float *restrict dst, const float *restrict src, float *other)
{
    scale(dst, src);
    scale(other, other + 1);
    scale(other + SIZE, *(float *volatile *)&other);
}

NOINLINE void counted(int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] += 3;
}

NOINLINE void calls(int *a)
{
    for (int i = 0; i < SIZE; i++)
        a[i] = change(a[i]);
}

NOINLINE float reduced(const float *a)
{
    float p = 1;
    for (int i = 0; i < SIZE; i++)
        p *= a[i];
    return p;
}

float x[3 * SIZE], y[3 * SIZE];
int z[SIZE];

int main(void)
{
    for (int i = 0; i < TIMES; i++) {
        aliased(x, y);
        apart(x, y);
        counted(z, i % 2 ? SIZE : SIZE - 1);
        if (i % 2 == 0)
            calls(z);
        x[0] += reduced(y);
        if (i % 2)
            both(x, y, y + 5);
    }
    return x[0] == 1;
}
