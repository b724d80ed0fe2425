/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints messages of ccprof-live on stderr. */

#define _GNU_SOURCE
#include "live/message.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void print(const char *format, va_list arguments)
{
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        buf_no_memory();
    BUF_OWN char *clean = text_clean(text);
    free(text);
    fprintf(stderr, "ccprof-live: %s\n", clean);
}

void message_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
}

int message_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
    return EXIT_FAILURE;
}
