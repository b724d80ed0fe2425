/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/tables/extent.h"

uint32_t extent_read_rise(struct reader *reader, uint32_t from, const char *why)
{
    int64_t rise = reader_sleb(reader);
    /* -INT64_MIN does not exist; INT64_MAX is out of range as well.  */
    return reader_moved(reader, from, rise == INT64_MIN ? INT64_MAX : -rise, why);
}

static int64_t read_half(struct reader *reader, unsigned half, unsigned most)
{
    if (half > most)
        reader_fail(reader, "an unknown kind of extent");
    if (half < most)
        return half;
    return (int64_t)reader_uleb_to(reader, UINT32_MAX, "column out of range") + half;
}

void extent_read_halves(struct reader *reader, uint32_t column, uint8_t halves,
                        unsigned most, uint32_t *start, uint32_t *end)
{
    int64_t before = read_half(reader, halves >> 4, most);
    int64_t after = read_half(reader, halves & 15, most);
    *start = reader_moved(reader, column, -before, "column out of range");
    *end = reader_moved(reader, column, after, "column out of range");
}
