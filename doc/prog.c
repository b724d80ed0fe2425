#include <stdio.h>

static unsigned heavy(unsigned x)
{
    for (int i = 0; i < 30; i++)
        x = (x ^ x >> 15) * 0x2c1b3c6d;
    return x;
}

static unsigned light(unsigned x)
{
    for (int i = 0; i < 10; i++)
        x = (x ^ x >> 12) * 0x297a2d39;
    return x;
}

int main(void)
{
    unsigned x = 1;
    for (int i = 0; i < 20000000; i++)
        x = light(heavy(x));
    printf("%u\n", x);
}
