// SPDX-License-Identifier: GPL-3.0-or-later

#include "compat.h"
#include "charge.h"
#include "markers.h"

typedef hash_map<int_hash<location_t, 0, (location_t)-1>, location_t> location_map;

static location_map *originals;

// The range starts at a place that no source has, so that no other location is
// the same combination.
location_t charge_location(location_t original, tree scope)
{
    location_t mark = markers_private_location();

    if (mark == UNKNOWN_LOCATION)
        return original;
    if (!originals)
        originals = new location_map;
    source_range range = {mark, get_finish(original)};
    location_t charged = compat_location(LOCATION_LOCUS(original), range, scope);
    bool known;
    location_t &before = originals->get_or_insert(charged, &known);
    if (known && before != original)
        return original;
    before = original;
    return charged;
}

location_t charge_original(location_t location)
{
    location_t *before = originals ? originals->get(location) : NULL;
    return before ? *before : location;
}

void charge_forget(void)
{
    if (originals)
        originals->empty();
}
