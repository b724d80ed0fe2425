// SPDX-License-Identifier: GPL-3.0-or-later

#include "compat.h"
#include "markers.h"

#define FILE_NAME    "<ccprof>"
#define PRIVATE_LINE (MARKERS_RESUME + 1)

// The user's own choice: -gstatement-frontiers or its opposite.
static bool chosen_by_user, choice_of_user;
static location_t locations[PRIVATE_LINE + 1]; // by line

// The option variable has no option, so the driver's debug level decides it in
// finish_options (GCC: opts.cc) unless it is marked as set.  The mark matters:
// without it `#pragma GCC optimize` would compute it anew, and functions whose
// option nodes differ are not inlined into each other.
void markers_switch_on(void)
{
    chosen_by_user = global_options_set.x_debug_nonbind_markers_p;
    choice_of_user = debug_nonbind_markers_p;
    // With the user's own markers the limit decides what debug information says.
    if (!choice_of_user) {
        param_max_debug_marker_count = INT_MAX;
        global_options_set.x_param_max_debug_marker_count = 1;
    }
    debug_nonbind_markers_p = 1;
    global_options_set.x_debug_nonbind_markers_p = 1;
}

// What finish_options would compute for this function (GCC: opts.cc).
bool markers_wanted_by_user(void)
{
    if (chosen_by_user)
        return choice_of_user;
    return optimize && debug_info_level >= DINFO_LEVEL_NORMAL && dwarf_debuginfo_p() &&
           !flag_selective_scheduling && !flag_selective_scheduling2;
}

static void make_line_map(void)
{
    linemap_add(line_table, LC_RENAME, 0, FILE_NAME, 1);
    for (int line = 1; line <= PRIVATE_LINE; line++)
        locations[line] = linemap_line_start(line_table, line, 1);
}

static location_t location_of_line(int line)
{
    if (!locations[PRIVATE_LINE])
        make_line_map();
    return locations[PRIVATE_LINE] ? locations[line] : UNKNOWN_LOCATION;
}

location_t markers_private_location(void)
{
    return location_of_line(PRIVATE_LINE);
}

gimple *markers_build(enum markers_kind kind)
{
    location_t location = location_of_line(kind);

    if (location == UNKNOWN_LOCATION)
        return NULL;
    cfun->debug_nonbind_markers = true;
    return gimple_build_debug_begin_stmt(DECL_INITIAL(current_function_decl), location);
}

enum markers_kind markers_kind_of(const gimple *stmt)
{
    if (!gimple_debug_begin_stmt_p(stmt))
        return MARKERS_NONE;
    expanded_location place = expand_location(gimple_location(stmt));
    if (!place.file || strcmp(place.file, FILE_NAME) || place.line < MARKERS_ENTER ||
        place.line > MARKERS_RESUME)
        return MARKERS_NONE;
    return (enum markers_kind)place.line;
}

void markers_remove(bool (*remove)(const gimple *stmt))
{
    basic_block bb;

    FOR_EACH_BB_FN(bb, cfun)
    {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);) {
            gimple *stmt = gsi_stmt(gsi);
            if (!is_gimple_debug(stmt) || !gimple_debug_nonbind_marker_p(stmt) ||
                !remove(stmt)) {
                gsi_next(&gsi);
                continue;
            }
            gsi_remove(&gsi, true);
        }
    }
}
