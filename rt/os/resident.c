/* SPDX-License-Identifier: MIT */
/* Reads /proc/self/statm, whose second number is of pages.  Owns nothing.  */

#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <sys/auxv.h>

#include "rt/os/resident.h"
#include "rt/os/file.h"

/* Returns the second number of the text.  */
static uint64_t resident_second(const char *text, size_t size)
{
    uint64_t number = 0;
    size_t at = 0;

    while (at < size && text[at] != ' ')
        at++;
    for (at++; at < size && text[at] >= '0' && text[at] <= '9'; at++)
        number = number * 10 + (uint64_t)(text[at] - '0');
    return number;
}

uint64_t ccprof_resident(void)
{
    int saved = errno;
    char text[128];
    ssize_t size =
        ccprof_file_start(AT_FDCWD, "/proc/self/statm", O_RDONLY, text, sizeof text);

    errno = saved;
    return size > 0 ? resident_second(text, (size_t)size) * getauxval(AT_PAGESZ) : 0;
}
