/* SPDX-License-Identifier: MIT */
/* Reads the thread's status file.  Owns nothing.  Called by handlers of signals.  */

#define _GNU_SOURCE
#include "rt/os/traced.h"
#include "rt/os/sys.h"

/* The line is among the first ones of the file, proc(5).  */
bool ccprof_traced(void)
{
    static const char name[] = "\nTracerPid:\t";
    int saved = errno, fd;
    char text[512];
    ssize_t got = 0;

    fd = ccprof_sys_open(AT_FDCWD, "/proc/thread-self/status", O_RDONLY | O_CLOEXEC, 0);
    if (fd >= 0) {
        got = ccprof_sys_pread(fd, text, sizeof text - 1, 0);
        ccprof_sys_close(fd);
    }
    text[got > 0 ? got : 0] = '\0';
    const char *line = strstr(text, name);
    errno = saved;
    return line && line[sizeof name - 1] != '0';
}
