// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/markers.h"

#define FILE_NAME    "<ccprof>"
#define PRIVATE_LINE (MARKERS_RESUME + 1)

static bool on;
static location_t locations[PRIVATE_LINE + 1]; // by line

// The debug level decides it in finish_options (GCC: opts.cc) unless the option,
// -gstatement-frontiers, is marked as set.  The mark matters: without it `#pragma GCC
// optimize` would compute it anew, and functions whose option nodes differ are not
// inlined into each other.
void markers_switch_on(void)
{
    bool linking = !strcmp(lang_hooks.name, "GNU GIMPLE");

    on = debug_info_level == DINFO_LEVEL_NONE && !flag_dump_final_insns &&
         (optimize || linking);
    if (!on)
        return;
    debug_nonbind_markers_p = 1;
    global_options_set.x_debug_nonbind_markers_p = 1;
    param_max_debug_marker_count = INT_MAX;
    global_options_set.x_param_max_debug_marker_count = 1;
}

void markers_keep_in_clones(void)
{
    lang_hooks.emits_begin_stmt = true;
}

bool markers_are_on(void)
{
    return on;
}

bool markers_can_watch(void)
{
    return on || (optimize && debug_nonbind_markers_p && !flag_dump_final_insns);
}

// A map that begins where the line table ends would be that of every location (GCC:
// line-map.cc, linemap_add).
static void make_line_map(void)
{
    const location_t room = 64;

    if (line_table->highest_location >= LINE_MAP_MAX_LOCATION - room)
        return;
    linemap_add(line_table, LC_RENAME, 0, FILE_NAME, 1);
    for (int line = 1; line <= PRIVATE_LINE; line++)
        locations[line] = linemap_line_start(line_table, line, 1);
}

static location_t location_of_line(int line)
{
    static bool tried;

    if (!tried)
        make_line_map();
    tried = true;
    return locations[line];
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

// A marker that is hidden has no place, but a range.
static bool is_hidden(location_t location)
{
    return location != UNKNOWN_LOCATION && LOCATION_LOCUS(location) == UNKNOWN_LOCATION;
}

static location_t begin_of(location_t location)
{
    return get_range_from_loc(line_table, location).m_start;
}

enum markers_kind markers_kind_of(const gimple *stmt)
{
    if (!gimple_debug_begin_stmt_p(stmt))
        return MARKERS_NONE;
    location_t location = gimple_location(stmt);
    expanded_location position =
        expand_location(is_hidden(location) ? begin_of(location) : location);
    // At link time a folder may stand before it (GCC: lto-streamer-in.cc,
    // canon_file_name).
    if (!position.file || strcmp(lbasename(position.file), FILE_NAME) ||
        position.line < MARKERS_ENTER || position.line > MARKERS_RESUME)
        return MARKERS_NONE;
    return (enum markers_kind)position.line;
}

static void place_markers(bool hidden)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);
             gsi_next(&gsi)) {
            gimple *stmt = gsi_stmt(gsi);
            location_t location = gimple_location(stmt);
            // Without a block there would be nothing beside the place.
            if (!markers_kind_of(stmt) || is_hidden(location) == hidden ||
                !gimple_block(stmt))
                continue;
            location_t kind = hidden ? LOCATION_LOCUS(location) : begin_of(location);
            gimple_set_location(stmt, compat_location(hidden ? UNKNOWN_LOCATION : kind,
                                                      source_range::from_location(kind),
                                                      gimple_block(stmt)));
        }
    }
}

void markers_hide(void)
{
    place_markers(true);
}

void markers_show(void)
{
    place_markers(false);
}

static void remove_markers(bool ours, bool others)
{
    basic_block bb;

    FOR_EACH_BB_FN (bb, cfun) {
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);) {
            gimple *stmt = gsi_stmt(gsi);
            if (is_gimple_debug(stmt) && gimple_debug_nonbind_marker_p(stmt) &&
                (markers_kind_of(stmt) ? ours : others))
                gsi_remove(&gsi, true);
            else
                gsi_next(&gsi);
        }
    }
}

void markers_remove_others(void)
{
    remove_markers(false, on);
}

// At link time there may be markers in a compilation with debug information.
void markers_remove_all(void)
{
    remove_markers(true, on);
    if (on)
        cfun->debug_nonbind_markers = false;
}
