/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints messages of ccprof-live on stderr. */

#define _GNU_SOURCE
#include "live/message.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int message_print(const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        buf_no_memory();
    va_end(arguments);
    BUF_OWN char *clean = text_clean(text);
    free(text);
    fprintf(stderr, "ccprof-live: %s\n", clean);
    return EXIT_FAILURE;
}
