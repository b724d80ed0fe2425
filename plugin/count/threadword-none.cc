// SPDX-License-Identifier: GPL-3.0-or-later
// For processors without a file of their own. Nothing calls these functions: on such a
// processor plugin/attach.cc stops each compilation that measures something with an
// error.

#include "plugin/gcc/compat.h"
#include "plugin/count/threadword.h"

void threadword_print_offset(const char *)
{
    gcc_unreachable();
}

bool threadword_is_packed(void)
{
    gcc_unreachable();
}

const char *threadword_text(enum threadword_code)
{
    gcc_unreachable();
}
