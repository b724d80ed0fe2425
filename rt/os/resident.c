/* SPDX-License-Identifier: MIT */
/* Reads /proc/self/statm, whose second number is of pages.  Owns nothing.  */

#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <sys/auxv.h>

#include "rt/os/resident.h"
#include "rt/os/sys.h"

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
    ssize_t size = 0;
    int fd = ccprof_sys_open(AT_FDCWD, "/proc/self/statm", O_RDONLY | O_CLOEXEC, 0);

    if (fd >= 0) {
        size = ccprof_sys_pread(fd, text, sizeof text, 0);
        ccprof_sys_close(fd);
    }
    errno = saved;
    return size > 0 ? resident_second(text, (size_t)size) * getauxval(AT_PAGESZ) : 0;
}
