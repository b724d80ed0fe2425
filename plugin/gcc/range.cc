// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/range.h"

static bool same_file(const expanded_location &a, const expanded_location &b)
{
    return a.file && b.file && (a.file == b.file || !strcmp(a.file, b.file));
}

struct graph_range range_of(location_t location)
{
    source_range range = get_range_from_loc(line_table, location);
    expanded_location caret = expand_location(location);
    expanded_location start = expand_location(range.m_start);
    expanded_location end = expand_location(range.m_finish);

    if (!same_file(caret, start) || !same_file(caret, end) || start.column <= 0 ||
        end.column <= 0)
        return {0, 0, 0, 0};
    return {(unsigned)start.line, (unsigned)start.column, (unsigned)end.line,
            (unsigned)end.column};
}
