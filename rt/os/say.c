/* SPDX-License-Identifier: MIT */
/* Builds a message on the stack and writes it.  Owns what is known of the standard error.
   The constructor calls start; any thread may call the other functions, handlers
   included.  */

#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "rt/os/say.h"
#include "rt/os/blocked.h"
#include "rt/os/file.h"
#include "rt/os/text.h"

static struct ccprof_file standard_error = {.fd = STDERR_FILENO, .is_any = true};

void ccprof_say_start(void)
{
    standard_error = ccprof_file_at(STDERR_FILENO);
}

const struct ccprof_file *ccprof_say_file(void)
{
    return &standard_error;
}

void ccprof_say(const char *part, ...)
{
    int saved = errno;
    char line[1000];
    struct ccprof_text text;
    struct ccprof_blocked blocked;
    va_list parts;

    ccprof_text_open(&text, line, sizeof line - 1, NULL);
    ccprof_text_string(&text, "ccprof: ");
    va_start(parts, part);
    for (; part; part = va_arg(parts, const char *))
        ccprof_text_clean(&text, part);
    va_end(parts);
    line[text.used] = '\n';

    /* Lines of several processes do not mix if each is a single write.  */
    ccprof_blocked_begin(&blocked);
    ccprof_blocked_write(&blocked);
    ccprof_file_write(&standard_error, line, text.used + 1);
    ccprof_blocked_end(&blocked);
    errno = saved;
}

const char *ccprof_say_error(int error)
{
    const char *text = strerrordesc_np(error);
    return text ? text : "unknown error";
}
