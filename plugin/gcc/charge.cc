// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/charge.h"
#include "plugin/gcc/markers.h"

namespace
{
struct uncharged {
    location_t position, original;
};
} // namespace

typedef hash_map<int_hash<location_t, 0, (location_t)-1>, uncharged> location_map;

static location_map *originals;

// The range starts at a position that no source has, so that no other location is
// the same combination.  If it also ends there, the position is not the original's.
static location_t charge(const struct uncharged &now, tree scope)
{
    location_t mark = markers_private_location();
    bool given = now.position != now.original;

    if (mark == UNKNOWN_LOCATION)
        return now.original;
    if (!originals)
        originals = new location_map;
    source_range range = {mark, given ? mark : get_finish(now.original)};
    location_t charged = compat_location(LOCATION_LOCUS(now.position), range, scope);
    bool known;
    struct uncharged &before = originals->get_or_insert(charged, &known);
    if (known && (before.position != now.position || before.original != now.original))
        return now.original;
    before = now;
    return charged;
}

location_t charge_location(location_t original, tree scope)
{
    return charge({original, original}, scope);
}

location_t charge_at(location_t position, location_t original, tree scope)
{
    return charge({charge_position(position), original}, scope);
}

static const struct uncharged *before(location_t location)
{
    return originals ? originals->get(location) : NULL;
}

location_t charge_position(location_t location)
{
    const struct uncharged *known = before(location);
    return known ? known->position : location;
}

location_t charge_original(location_t location)
{
    const struct uncharged *known = before(location);
    return known ? known->original : location;
}

// What is hidden ends its range at the position, which starts where no source has
// anything.
location_t charge_hide(location_t location)
{
    const struct uncharged *known = before(location);

    if (!known || known->position == known->original)
        return location;
    source_range range = {markers_private_location(), LOCATION_LOCUS(location)};
    location_t hidden =
        compat_location(UNKNOWN_LOCATION, range, LOCATION_BLOCK(location));
    return before(hidden) ? location : hidden;
}

location_t charge_show(location_t location)
{
    location_t mark = markers_private_location();

    if (LOCATION_LOCUS(location) != UNKNOWN_LOCATION || before(location) ||
        location == UNKNOWN_LOCATION || get_start(location) != mark)
        return location;
    return compat_location(get_finish(location), {mark, mark}, LOCATION_BLOCK(location));
}

void charge_forget(void)
{
    if (originals)
        originals->empty();
}
