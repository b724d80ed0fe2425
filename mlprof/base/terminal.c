/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/terminal.h"

#include <sys/ioctl.h>

size_t terminal_columns(FILE *out)
{
    struct winsize size;
    int descriptor = fileno(out);
    if (descriptor < 0 || ioctl(descriptor, TIOCGWINSZ, &size) < 0)
        return 0;
    return size.ws_col;
}
