/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

size_t terminal_columns(FILE *out)
{
    struct winsize size;
    int descriptor = fileno(out);
    if (descriptor < 0 || ioctl(descriptor, TIOCGWINSZ, &size) < 0)
        return 0;
    return size.ws_col;
}

bool terminal_colours(FILE *out)
{
    const char *refused = getenv("NO_COLOR"), *kind = getenv("TERM");
    int descriptor = fileno(out);
    if ((refused && refused[0]) || !kind || strcmp(kind, "dumb") == 0)
        return false;
    return descriptor >= 0 && isatty(descriptor);
}
