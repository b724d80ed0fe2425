// SPDX-License-Identifier: GPL-3.0-or-later
// memory SECONDS: works so long and then prints, in KiB, what its memory is: the
// most that was resident, what is mapped private and writable, and how much of
// that is really there.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The sum of the numbers after KEY in a file of /proc.
static long sum(const char *file, const char *key)
{
    char line[512];
    FILE *f = fopen(file, "r");
    long result = 0;

    if (!f)
        return -1;
    while (fgets(line, sizeof line, f))
        if (strncmp(line, key, strlen(key)) == 0)
            result += strtol(line + strlen(key), NULL, 10);
    fclose(f);
    return result;
}

static long private_writable(void)
{
    unsigned long low, high, bytes = 0;
    char line[4352], flags[5];
    FILE *f = fopen("/proc/self/maps", "r");

    if (!f)
        return -1;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "%lx-%lx %4s", &low, &high, flags) == 3 && flags[1] == 'w' &&
            flags[3] == 'p')
            bytes += high - low;
    fclose(f);
    return (long)(bytes >> 10);
}

int main(int argc, char **argv)
{
    clock_t end = (clock_t)(atof(argc > 1 ? argv[1] : "1") * CLOCKS_PER_SEC);
    volatile uint64_t x = 1;

    while (clock() < end)
        for (int i = 0; i < 1000000; i++)
            x = x * 6364136223846793005u + 1;
    printf("%ld %ld %ld\n", sum("/proc/self/status", "VmHWM:"), private_writable(),
           sum("/proc/self/smaps_rollup", "Private_Dirty:"));
    return 0;
}
