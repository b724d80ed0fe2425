/* SPDX-License-Identifier: MIT */
/* Reads the status file of the thread.  Owns nothing.  Called by handlers of fatal
   signals: that of SIGPROF calls less of libc (tasks.c).  */

#define _GNU_SOURCE
#include "rt/os/traced.h"
#include "rt/os/file.h"

/* The line is among the first ones of the file, proc(5).  */
bool ccprof_traced(void)
{
    static const char name[] = "\nTracerPid:\t";
    int saved = errno;
    char text[512];
    ssize_t got = ccprof_file_start(AT_FDCWD, "/proc/thread-self/status", O_RDONLY, text,
                                    sizeof text - 1);

    text[got > 0 ? got : 0] = '\0';
    const char *line = strstr(text, name);
    errno = saved;
    return line && line[sizeof name - 1] != '0';
}
