/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/profile/mlmon-origin.h"

/* Reads what stands behind `rank ' on the line.  */
static bool read_rank(struct mlmon_origin *origin, struct fields *fields)
{
    origin->ranked = true;
    if (!fields_decimal(fields, &origin->rank) || !fields_skip(fields, " "))
        return false;
    if (fields_skip(fields, "-"))
        return fields_end_of_line(fields);
    return fields_decimal(fields, &origin->size) && fields_end_of_line(fields) &&
           origin->rank < origin->size;
}

bool mlmon_origin_read(struct mlmon_origin *origin, struct fields *fields)
{
    if (!fields_next_line(fields))
        return false;
    if (fields_skip(fields, "host ")) {
        origin->host = fields_path(fields);
        if (!origin->host)
            return fields_wrong(fields, "it should be `host' and a name");
        if (!fields_next_line(fields))
            return false;
    }
    if (!fields_skip(fields, "rank ")) {
        fields_unread(fields);
        return true;
    }
    return read_rank(origin, fields) ||
           fields_wrong(fields, "it should be `rank', a number and a greater one or `-'");
}

void mlmon_origin_put(struct profile *profile, const struct mlmon_origin *origin)
{
    const struct origins_origin like = {.ranked = origin->ranked,
                                        .rank = origin->rank,
                                        .size = origin->size,
                                        .files = 1,
                                        .cpu = profile->cpu,
                                        .wall = profile->wall,
                                        .samples = profile->samples,
                                        .lost = profile->lost};
    origins_add(&profile->origins, origin->host, &like);
}
