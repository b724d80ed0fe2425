// SPDX-License-Identifier: GPL-3.0-or-later
// For processors without quiet-NAME.cc: quiet functions (watch.h) are not possible, so
// stopwatch.cc treats all functions alike.

#include "plugin/gcc/compat.h"
#include "plugin/watch/watch.h"

bool quiet_is_possible(void)
{
    return false;
}

char *quiet_text(unsigned, bool, bool)
{
    gcc_unreachable();
}

void quiet_emit(void)
{
}
