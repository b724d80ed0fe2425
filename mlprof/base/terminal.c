/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/terminal.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FILE_COLUMNS 80

static bool whole;

/* All zero if OUT is no terminal.  */
static struct winsize size_of(FILE *out)
{
    struct winsize size = {0};
    int descriptor = fileno(out);
    if (descriptor < 0 || ioctl(descriptor, TIOCGWINSZ, &size) < 0)
        return (struct winsize){0};
    return size;
}

size_t terminal_columns(FILE *out)
{
    size_t columns = size_of(out).ws_col;
    const char *wanted = getenv("COLUMNS");
    if (columns || whole || fileno(out) < 0)
        return columns;
    columns = wanted ? strtoul(wanted, NULL, 10) : 0;
    return columns ? columns : FILE_COLUMNS;
}

void terminal_whole(void)
{
    whole = true;
}

size_t terminal_lines(FILE *out)
{
    return size_of(out).ws_row;
}

void terminal_print(FILE *out, const char *text)
{
    BUF_OWN char *wrapped = text_wrap(text, terminal_columns(out));
    fputs(wrapped, out);
}

bool terminal_colours(FILE *out)
{
    const char *refused = getenv("NO_COLOR"), *kind = getenv("TERM");
    int descriptor = fileno(out);
    if ((refused && refused[0]) || !kind || strcmp(kind, "dumb") == 0)
        return false;
    return descriptor >= 0 && isatty(descriptor);
}
