/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/text.h"
#include "mlprof/parallel/constructs-inside.h"

#include <stdlib.h>

/* The plugin names the function of a construct after the function around it, with this
   suffix.  */
#define SUFFIX ".omp"

void constructs_add(struct constructs_sums *sums, uint32_t a, uint32_t b, double count)
{
    bool fresh;
    uint32_t number = index_put(&sums->index, a, b, 0, &fresh);
    double *sum = &BUF_AT(sums->sums, number, sums->capacity);
    *sum = count + (fresh ? 0 : *sum);
}

struct constructs_cell *constructs_cell(struct constructs_builder *build,
                                        uint32_t construct, uint32_t thread)
{
    bool fresh;
    uint32_t number = index_put(&build->cell_index, construct, thread, 0, &fresh);
    struct constructs_cell *cell = &BUF_AT(build->cells, number, build->cell_capacity);
    if (fresh)
        *cell = (struct constructs_cell){0};
    return cell;
}

bool constructs_is_one(const struct unit_source *source)
{
    return source && text_ends(source->name, SUFFIX);
}

static void add_construct(struct constructs_builder *build,
                          const struct identity_source *source)
{
    BUF_NEXT(build->list, build->count, build->capacity) =
        (struct construct){.source = *source};
}

uint32_t constructs_number(struct constructs_builder *build, const struct unit *unit,
                           const struct unit_source *source)
{
    bool fresh;
    const struct identity_source identity = identity_of(unit, source);
    uint32_t number =
        CONSTRUCTS_FIRST + identity_put(&build->identity, &identity, &fresh);
    if (fresh)
        add_construct(build, &identity);
    return number;
}

void constructs_start(struct constructs_builder *build)
{
    static const char *const names[CONSTRUCTS_FIRST] = {[OUTSIDE] = "<outside>",
                                                        [UNKNOWN] = "<unknown construct>",
                                                        [ENDS] = "<end of a construct>",
                                                        [IDLE] = "<idle>"};
    for (size_t i = 0; i < CONSTRUCTS_FIRST; i++)
        add_construct(build, &(struct identity_source){.name = names[i]});
}

static void free_sums(struct constructs_sums *sums)
{
    index_free(&sums->index);
    free(sums->sums);
}

void constructs_end(struct constructs_builder *build)
{
    identity_free(&build->identity);
    index_free(&build->cell_index);
    free(build->cells);
    free(build->list);
    free_sums(&build->ends);
    free_sums(&build->parents);
    free_sums(&build->loose);
}
