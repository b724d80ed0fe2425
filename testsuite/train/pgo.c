/* Three kinds of work, each of which says for itself how much CPU time it takes:
   functions of this file, which is compiled with train; of pgo-other.c, which is not; and
   of libm. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

unsigned other(unsigned x, int rounds);
unsigned mix(unsigned x);
unsigned tiny(unsigned x);
volatile double wave;
volatile unsigned sink;

/* Both are inlined early into work and mix: what they take is work's and mix's. */
static unsigned turn(unsigned x)
{
    return (x ^ x >> 15) * 0x2c1b3c6d;
}
unsigned tiny(unsigned x)
{
    return x + 7;
}
/* Too large for -O2 to be inlined, unless GCC knows how hot the call is. */
unsigned mix(unsigned x)
{
    x = turn(x) + (x << 7 | x >> 25);
    x = turn(x) ^ (x << 11 | x >> 21);
    if (x % 64 == 5)
        x += x >> 3;
    x = tiny(x) - (x << 13 | x >> 19);
    return x ^ x >> 9;
}
/* The other file has a function of this name, too. */
static __attribute__((noinline)) unsigned work(unsigned x, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        x = mix(x);
        /* Never. */
        if (x == 77 && rounds < 3) {
            printf("%u %d\n", x, rounds);
            for (int k = 0; k < rounds; k++)
                printf("%u %u\n", x, mix(x + k));
        }
    }
    return x;
}
static __attribute__((noinline)) double waves(double from, int rounds)
{
    double sum = 0;
    for (int i = 0; i < rounds; i++)
        sum += lgamma(from + i);
    return sum;
}
static __attribute__((noinline)) unsigned never(unsigned x)
{
    return x % 3 ? x : x / 3;
}
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}
int main(int argc, char **argv)
{
    int blocks = argc > 1 ? atoi(argv[1]) : 1;
    double times[4] = {0, 0, 0, 0};
    for (int i = 0; i < blocks; i++) {
        double start = now(), worked, elsewhere, waved;
        sink = work(sink + i, 600000);
        worked = now();
        sink = other(sink, 1200000);
        elsewhere = now();
        wave = waves(3 + i, 250000);
        waved = now();
        times[0] += worked - start;
        times[1] += elsewhere - worked;
        times[2] += waved - elsewhere;
    }
    if (argc > 5)
        sink = never(sink);
    times[3] = times[0] + times[1] + times[2];
    printf("%.2f %.2f %.2f %.3f\n", 100 * times[0] / times[3], 100 * times[1] / times[3],
           100 * times[2] / times[3], times[3]);
    return 0;
}
