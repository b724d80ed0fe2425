/* What pgo.c calls of a file that is compiled without train. */
unsigned other(unsigned x, int rounds);
static __attribute__((noinline, aligned(4096))) unsigned work(unsigned x, int rounds)
{
    for (int i = 0; i < rounds; i++)
        x = (x ^ x >> 15) * 0x2c1b3c6d;
    return x;
}
unsigned other(unsigned x, int rounds)
{
    return work(x, rounds) + 1;
}
