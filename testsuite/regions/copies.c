/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that GCC inlines, most of them early, and of whose copies little is left. The
   number behind a function's name is that of its calls. */

#include <math.h>
#include <stdio.h>

/* 400, in another unit, where it calls `part' of a third one twice. */
int turn(int x);
static int (*volatile by_pointer)(int) = turn;

struct vec {
    double x, y, z;
};

static volatile double zero;
static unsigned state = 1;

/* 2100: nothing is left of it in `scaled', and in `side' only what a jump brings along.
 */
static struct vec make(double x, double y, double z)
{
    struct vec v = {x, y, z};
    return v;
}

/* 700 */
static struct vec scaled(struct vec v, double by)
{
    return make(v.x * by, v.y * by, v.z * by);
}

/* 600 */
static struct vec side(double up)
{
    return up < 3 ? make(0, 1, 0) : make(1, 0, 0);
}

/* 2100 */
static double draw(void)
{
    state = state * 1103515245 + 12345;
    return (double)(state >> 16) / 65536;
}

/* 700: what is first in its loop is entered each time. */
static struct vec in_ball(int *tries)
{
    struct vec v;

    do {
        v = make(draw(), draw(), draw());
        ++*tries;
    } while (v.x * v.x + v.y * v.y + v.z * v.z > 3 + zero);
    return v;
}

/* 500: begins with a loop, and ends with one. */
static unsigned light(unsigned x)
{
    for (int i = 0; i < 10; i++)
        x = (x ^ x >> 12) * 0x297a2d39;
    return x;
}

/* 100 */
static struct vec sky(double up)
{
    double height = up > 0 ? up : 0;
    return scaled(make(0.5, 0.7, 1), 1 - height);
}

static __attribute__((noipa)) struct vec trace(double up, int *tries)
{
    struct vec v = in_ball(tries);
    if (up >= 0.5 + zero)
        return scaled(side(up), v.x);
    return sky(up);
}

struct pair {
    double x, y;
};

/* 1400: is returned in registers; of those in `slope' only a value is left. */
static struct pair both_of(double x, double y)
{
    struct pair p = {x, y};
    return p;
}

/* 700 */
static struct pair slope(double up)
{
    return up < 3 ? both_of(0, 1) : both_of(1, 0);
}

/* 700 */
static int number(int x)
{
    return x;
}

/* 700 */
static int choice(int x)
{
    return x < 3 ? number(5) : number(7);
}

static __attribute__((noipa)) double steps(int x)
{
    struct pair p = slope(x);
    p = both_of(p.x * x, p.y * x);
    return p.x + p.y + choice(x);
}

static unsigned nums[64];

static __attribute__((noipa)) unsigned log_of(unsigned x)
{
    return 31 - (unsigned)__builtin_clz(x);
}

/* 200: GCC splits `count_one' within it. */
static unsigned index_of(long k)
{
    if ((unsigned long)k - 1u < 1ul << 31)
        return (unsigned)k;
    else
        return 0;
}

/* 200 */
static int count_one(long key, unsigned *at)
{
    unsigned k = index_of(key);
    if (k != 0) {
        at[log_of(k)]++;
        return 1;
    }
    return 0;
}

static __attribute__((noipa)) int both(const long *key, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (key[i] != 7)
            sum += count_one(key[i], nums);
    return sum;
}

static __attribute__((noipa)) int one(long key)
{
    return count_one(key, nums);
}

static int count_all(void)
{
    long keys[100];

    for (int i = 0; i < 100; i++)
        keys[i] = i % 3 ? i + 10 : -i;
    int sum = both(keys, 100);
    for (int i = 0; i < 100; i++)
        sum += one(keys[i]);
    return sum;
}

/* 2000: in a loop that would be one of vectors. */
static int step(int x)
{
    return x * 3 + 1;
}

/* 900: it begins with a loop, in another one. */
static unsigned search(void)
{
    for (;;) {
        state = state * 1103515245 + 12345;
        if ((state >> 16) % 3 == 0)
            return state;
    }
}

/* 300: GCC splits a part off. */
static unsigned char level(double light)
{
    if (light <= 0)
        return 0;
    if (light >= 1)
        return 255;
    return (unsigned char)(sqrt(light) * 255 + 0.5);
}

static __attribute__((noipa)) void set(unsigned char *to, double a, double b, double c)
{
    to[0] = level(a);
    to[1] = level(b);
    to[2] = level(c);
}

int main(void)
{
    unsigned char to[3];
    unsigned x = 1;
    int sum = count_all(), tries = 0;
    double all = 0;

    for (int i = 0; i < 500; i++)
        x = light(x);
    for (int i = 0; i < 700; i++)
        all += trace(i % 7, &tries).z + steps(i % 7);
    for (int i = 0; i < 300; i++)
        sum += turn(i);
    for (int i = 0; i < 100; i++)
        sum += by_pointer(i);
    for (int i = 0; i < 1000; i++)
        sum += step(i + tries) + step(i - tries);
    for (int i = 0; i < 900; i++)
        x += search();
    for (int i = 0; i < 100; i++) {
        set(to, i * 0.02, i * 0.005, i * -0.1);
        sum += to[0] + to[1] + to[2];
    }
    printf("%u %d %g\n", x, sum, all);
    return tries != 700;
}
