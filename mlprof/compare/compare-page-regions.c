/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/compare/compare-page-inside.h"
#include "mlprof/page/page-regions.h"

#include <stdlib.h>

/* Prints the figures of each region on a side, of all its runs together; null if the side
   does not have the region.  */
static void print_side(struct json *json, const char *name,
                       const struct compare_page_regions *about, size_t side)
{
    const struct evaluate_result *all = about->all[side];
    const struct regionrows *rows = &all->regions[about->sides[side]->by];
    const struct regionrows_row **of = regionside_rows(about->sides[side], rows);
    json_open_list_field(json, name);
    for (size_t i = 0; i < about->changes->count; i++) {
        uint32_t region = about->changes->changes[i].regions[side];
        if (region == MATCH_NONE || !of[region])
            json_text(json, NULL);
        else
            page_regions_print_row(json, all->profile, rows, of[region]);
    }
    json_close_list(json);
    free(of);
}

void compare_page_regions(struct datacolumns *columns,
                          const struct compare_page_regions *about)
{
    struct json *json = &columns->json;
    const struct regionchanges *changes = about->changes;
    json_open_field(json, "region_changes");
    json_text_field(json, "by",
                    about->sides[0]->by == REGIONROWS_PATHS ? "paths" : "regions");
    json_number_field(json, "tick", changes->tick);
    json_open_list_field(json, "sides");
    for (size_t s = 0; s < 2; s++) {
        json_open(json);
        json_text_field(json, "program", changes->programs[s]);
        json_unsigned_field(json, "runs", changes->runs[s]);
        json_close(json);
    }
    json_close_list(json);
    json_open_list_field(json, "name");
    for (size_t i = 0; i < changes->count; i++)
        json_signed(json, datacolumns_text(columns, changes->changes[i].name));
    json_close_list(json);
    json_open_list_field(json, "certain");
    for (size_t i = 0; i < changes->count; i++)
        json_bool(json, changes->changes[i].verdict.certain);
    json_close_list(json);
    struct table table = regionchanges_table(changes);
    json_name(json, "table");
    table_print_page(json, &table);
    table_free(&table);
    print_side(json, "regions_before", about, 0);
    print_side(json, "regions_after", about, 1);
    json_unsigned_field(json, "tested", changes->tested);
    json_close(json);
}
