/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says what the command line asks of the views, for whoever shows or evaluates them.  */

#include "mlprof/options/options.h"
#include "mlprof/rows/spread.h"

const struct views_asked *options_asked(const struct options *options,
                                        const struct views_entry *view)
{
    size_t number = 0;
    while (views_all[number] != view)
        number++;
    return &options->views[number];
}

const struct measure *options_heap(const struct options *options)
{
    unsigned choice = options_asked(options, &heapview_entry)->choice;
    return choice ? &measure_all[choice] : NULL;
}

bool options_has_measure(const struct options *options)
{
    return options->measure.measure || options->measure.column;
}

bool options_asks_measure(const struct options *options, struct side_measure measure)
{
    const struct options_measure *asked = &options->measure;
    enum side_part part = asked->column == VIEW_STACK    ? SIDE_STACK
                          : asked->column == VIEW_BLOCKS ? SIDE_BLOCKS
                                                         : SIDE_OWN;
    return measure.part == part && (asked->measure ? asked->measure == measure.of ||
                                                         (asked->measure->memory &&
                                                          measure_is_of_heap(measure.of))
                                                   : part == SIDE_STACK);
}

unsigned options_facts(const struct options *options)
{
    unsigned facts = 0;
    for (size_t i = 0; i < views_count; i++)
        if (views_is_asked(&options->views[i]))
            facts |= views_all[i]->facts;
    return facts;
}

enum spread_over options_load(const struct options *options)
{
    return options_asked(options, &imbalance_entry)->choice;
}
