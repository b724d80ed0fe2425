/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* Evaluates random trees of program points and compares the results with a simple model
   that evaluates each stack separately. */

#include "mlprof/rows/rows.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/random.h"

#define POINTS 60
#define NAMES  14
#define ROOT   PROFILE_NO_NODE

/* 16 bytes of f, with g inlined from +4 to +12 and h inlined in g from +8 on; 16 bytes of
   g; 16 bytes that are excluded. a.c at 0, f at 4, g at 6, h at 8. */
static struct tables *make_tables(void)
{
    struct make_elf file = {
        .build_id = "aa",
        .sections = {{".ccprof.str", "61 2e 63 00 66 00 67 00 68 00"},
                     {".ccprof.unit", "34 00 00 00 02 00 00 00 00 00 01 00 00 00 00 00 "
                                      "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03 "
                                      "04 00 00 00 00 01 01 00 06 00 00 00 00 01 02 00 "
                                      "08 00 00 00 00 01 03 00"},
                     {".ccprof.code", "00 01 00 00 00 00 00 10 00 00 00 00 00 00 "
                                      "11 00 01 02 02 02 02 03 03 04 01 04 01 04 7e "
                                      "11 00 02 00 00 11 00 00 00 00"}}};
    return open_elf(&file);
}

/* The names of frames. */
static const char *const names[NAMES] = {
    "f",   "g",           "h",         "<unprofiled>", "<lost>", "<deep>",  "<prog>",
    "<l>", "<libc.so.6>", "<unknown>", "<recursion>",  "[load]", "[store]", "<broken>"};
enum {
    F,
    G,
    H,
    UNPROFILED,
    LOST,
    DEEP,
    PROG,
    L,
    C,
    UNKNOWN,
    RECURSION,
    LABELS,
    BROKEN = LABELS + 2
};

/* Code in the tables; code that belongs to its caller; code without tables, and such code
   without an enclosing frame. */
enum kind { INSIDE, CALLERS, OUTSIDE, START };

static const struct site {
    uint32_t module;
    uint64_t address;
    int frames[3], count;
    int outside; /* the frame if there are no frames */
    enum kind kind;
} sites[] = {{0, 0x1000, {F}, 1, 0, INSIDE},
             {0, 0x1003, {F}, 1, 0, INSIDE},
             {0, 0x1004, {F, G}, 2, 0, INSIDE},
             {0, 0x1008, {F, G, H}, 3, 0, INSIDE},
             {0, 0x100b, {F, G, H}, 3, 0, INSIDE},
             {0, 0x100c, {F}, 1, 0, INSIDE},
             {0, 0x1010, {G}, 1, 0, INSIDE},
             {0, 0x1020, {0}, 0, PROG, CALLERS},
             {0, 0x1030, {0}, 0, PROG, START},
             {1, 0x1008, {0}, 0, L, OUTSIDE},
             {2, 0x1008, {0}, 0, C, START},
             {PROFILE_NO_MODULE, 0x1008, {0}, 0, UNKNOWN, OUTSIDE}};
#define SITES (LENGTH(sites))

#define REPEATED ((int)SITES + 4) /* frames were left out that also occur further out */
#define GUESSED  ((int)SITES + 5) /* the caller is a guess */

/* The tree: for each node the site, the parent (-1: none) and the count. */
struct made {
    struct profile profile;
    /* Site SITES: frames were left out. Numbers above it: the labels, frames not found,
       REPEATED and GUESSED. */
    int site[POINTS], parent[POINTS];
    uint64_t count[POINTS];
    int points;
};

static int known_child(const struct made *made, int parent, int site)
{
    for (int i = 0; i < made->points; i++)
        if (made->parent[i] == parent && made->site[i] == site)
            return i;
    return -1;
}

static void add_point(struct made *made, int parent, int site, uint64_t count)
{
    static const struct site others[] = {{.module = PROFILE_NO_MODULE}, /* left out */
                                         {.module = PROFILE_LABEL},
                                         {.module = PROFILE_LABEL, .address = 1},
                                         {.module = PROFILE_NO_MODULE, .address = 1},
                                         {.module = PROFILE_NO_MODULE, .address = 2},
                                         {.module = PROFILE_NO_MODULE, .address = 3}};
    const struct site *at =
        site >= (int)SITES ? &others[site - (int)SITES] : &sites[site];
    uint32_t number = profile_add(&made->profile, parent < 0 ? ROOT : (uint32_t)parent,
                                  at->module, at->address, count);
    int known = known_child(made, parent, site);
    if (known < 0) {
        known = made->points++;
        made->parent[known] = parent;
        made->site[known] = site;
        made->count[known] = 0;
    }
    ck_assert_uint_eq(number, known);
    made->count[known] += count;
    made->profile.sampling.samples += count;
}

static void make_tree(struct made *made)
{
    memset(made, 0, sizeof *made);
    made->profile.kind = CCPROF_KIND_TIME;
    made->profile.sampling.stack = true;
    made->profile.sampling.lost = made->profile.sampling.samples = random_below(3);
    profile_add_module(&made->profile, "prog", "aa");
    profile_add_module(&made->profile, "l", NULL);
    profile_add_module(&made->profile, "/lib/libc.so.6", NULL);
    profile_add_label(&made->profile, "load");
    profile_add_label(&made->profile, "store");
    int phases = (int)random_below(4);
    for (int i = 0; i < phases; i++)
        add_point(made, (int)random_below((uint64_t)made->points + 1) - 1,
                  (int)(SITES + 1 + random_below(2)), 0);
    if (random_below(2)) {
        int around = (int)random_below((uint64_t)made->points + 1) - 1,
            cut = made->points;
        add_point(made, around, SITES + (random_below(2) ? 3 : 0), 0);
        add_point(made, cut, (int)random_below(SITES), random_below(5));
    }
    int tries = (int)random_below(POINTS - 2);
    for (int i = 0; i < tries; i++) {
        /* In most cases below the latest nodes, so that the stacks grow. */
        int back = 1 + (int)random_below(random_below(3) ? 2 : POINTS);
        int parent = back > made->points || !random_below(8) ? -1 : made->points - back;
        if (!random_below(5) && made->points < POINTS - 3) {
            int mark = made->points;
            static const int marks[] = {(int)SITES, REPEATED, REPEATED, GUESSED};
            add_point(made, parent, marks[random_below(LENGTH(marks))], 0);
            if (made->points == mark)
                continue;
            parent = mark;
        } else if (made->points >= POINTS - 3)
            break;
        add_point(made, parent, (int)random_below(SITES),
                  random_below(3) ? random_below(20) : 0);
    }
}

struct model {
    uint64_t cur[NAMES], stack[NAMES];
    uint64_t edges[NAMES + 1][NAMES]; /* caller 0: none; otherwise its number plus 1 */
};

static bool is_mark(const struct made *made, int point)
{
    return made->site[point] == SITES || made->site[point] >= REPEATED;
}

/* Returns whether the point, which is a site, has frames. */
static bool has_frames(const struct made *made, int point, bool outside)
{
    enum kind kind = sites[made->site[point]].kind;
    if (kind != START || !outside)
        return kind == INSIDE || (kind == OUTSIDE && outside);
    int i = made->parent[point];
    while (i >= 0 && (made->site[i] >= REPEATED ||
                      (made->site[i] < (int)SITES && !has_frames(made, i, true))))
        i = made->parent[i];
    return i >= 0 && made->site[i] <= (int)SITES;
}

/* Returns whether any of the calls left out at the point has frames. */
static bool has_left_out(const struct made *made, int point, bool outside)
{
    for (int i = made->parent[point]; i >= 0; i = made->parent[i]) {
        if (is_mark(made, i))
            continue;
        if (made->site[i] > (int)SITES)
            return false;
        if (has_frames(made, i, outside))
            return true;
        bool first = true;
        for (int k = made->parent[i]; k >= 0; k = made->parent[k])
            first = first && made->site[k] != made->site[i];
        if (first)
            return false;
    }
    return false;
}

/* Stores the whole stack at a point, outermost first. Returns the number of frames.
 *LEFT_OUT: a mark must be shown before the next frame. */
static int stack_at(const struct made *made, int point, bool outside, int *stack,
                    bool *left_out)
{
    int count = 0;
    *left_out = false;
    if (made->parent[point] >= 0)
        count = stack_at(made, made->parent[point], outside, stack, left_out);
    if (made->site[point] == REPEATED) {
        *left_out = *left_out || has_left_out(made, point, outside);
        return count;
    }
    if (made->site[point] == GUESSED)
        return count;
    if (made->site[point] >= (int)SITES) {
        stack[count++] = made->site[point] == SITES
                             ? DEEP
                             : LABELS + made->site[point] - (int)SITES - 1;
        *left_out = false;
        return count;
    }
    const struct site *site = &sites[made->site[point]];
    if (!has_frames(made, point, outside))
        return count;
    if (*left_out)
        stack[count++] = RECURSION;
    *left_out = false;
    for (int i = 0; i < site->count; i++)
        stack[count++] = site->frames[i];
    if (site->count == 0)
        stack[count++] = site->outside;
    return count;
}

static void count_stack(struct model *model, const int *stack, int count,
                        uint64_t samples)
{
    bool seen[NAMES] = {0}, seen_edge[NAMES + 1][NAMES] = {0};
    model->cur[stack[count - 1]] += samples;
    for (int i = 0; i < count; i++) {
        int caller = i ? stack[i - 1] + 1 : 0;
        if (!seen[stack[i]])
            model->stack[stack[i]] += samples;
        if (!seen_edge[caller][stack[i]])
            model->edges[caller][stack[i]] += samples;
        seen[stack[i]] = seen_edge[caller][stack[i]] = true;
    }
}

static void make_model(struct model *model, const struct made *made, bool outside)
{
    int stack[4 * POINTS], lost = LOST;
    memset(model, 0, sizeof *model);
    for (int i = 0; i < made->points; i++) {
        bool left_out;
        int count = stack_at(made, i, outside, stack, &left_out);
        /* Samples in the program's start code get its name. */
        if (count == 0 || stack[count - 1] >= LABELS)
            stack[count++] = outside && made->site[i] < (int)SITES &&
                                     sites[made->site[i]].kind == START
                                 ? sites[made->site[i]].outside
                                 : UNPROFILED;
        count_stack(model, stack, count, made->count[i]);
    }
    count_stack(model, &lost, 1, made->profile.sampling.lost);
}

static int number_of(const char *name)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    ck_abort_msg("no such name: %s", name);
}

static void compare(const struct rows *rows, const struct model *model)
{
    size_t count = 0, edges = 0;
    uint64_t sum = 0;
    for (int i = 0; i < NAMES; i++)
        count += model->stack[i] > 0;
    for (int i = 0; i <= NAMES; i++)
        for (int j = 0; j < NAMES; j++)
            edges += model->edges[i][j] > 0;
    ck_assert_uint_eq(rows->count, count);
    for (size_t i = 0; i < rows->count; i++) {
        int number = number_of(rows->rows[i].source.name);
        ck_assert_uint_eq(rows_self(&rows->rows[i]), model->cur[number]);
        ck_assert_uint_eq(rows_total(&rows->rows[i]), model->stack[number]);
        sum += rows_self(&rows->rows[i]);
    }
    ck_assert_uint_eq(sum, rows->total);
    const struct rows_edge *list = rows_edges(rows, &count);
    ck_assert_uint_eq(count, edges);
    for (size_t i = 0; i < count; i++) {
        const struct rows_edge *edge = &list[i];
        int callee = number_of(rows->rows[edge->callee].source.name), caller = 0;
        if (edge->caller != STACKS_NONE)
            caller = 1 + number_of(rows->rows[edge->caller].source.name);
        ck_assert_uint_eq(edge->weight, model->edges[caller][callee]);
    }
}

/* Half of the samples of each point are in one bucket, the others in another. A third
   belong to one rank. */
static void make_times(struct profile *profile)
{
    profile->times.width = 1;
    for (uint32_t i = 0; i < profile->nodes.count; i++) {
        uint64_t count = profile->nodes.list[i].count;
        shares_add(&profile->times.shares, i, i % 5, count / 2);
        shares_add(&profile->times.shares, i, 7 - i % 3, count - count / 2);
        packed_add(&profile->origins.shares, i, 1, count / 3);
        packed_add(&profile->origins.shares, i, 0, count - count / 3);
    }
    shares_sort(&profile->times.shares);
    packed_sort(&profile->origins.shares);
}

/* All samples except lost ones have a time and a rank. */
static void compare_times(const struct stacks *stacks)
{
    struct shares scratch = {0};
    size_t at = 0;
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        struct shares_own part = shares_of(&stacks->times.shares, i, &at);
        struct shares_own ranks = packed_of(&stacks->origins, i, &scratch);
        bool lost = strcmp(stacks->sources.list[stacks_source_of(stacks, i)].name,
                           STACKS_LOST) == 0;
        ck_assert_uint_eq(part.total, lost ? 0 : stacks->nodes.list[i].count);
        ck_assert_uint_eq(ranks.total, part.total);
    }
    shares_free(&scratch);
}

TEST_TIMES(random_trees, 2)
{
    struct tables *tables[3] = {make_tables(), NULL, NULL};
    struct program program = {.tables = tables, .count = 3};
    unsigned deep = 0;
    random_state = 2463534242u + (unsigned)_i;
    for (int round = 0; round < 500; round++) {
        struct made made;
        make_tree(&made);
        struct outside *outside = NULL;
        make_times(&made.profile);
        if (_i)
            outside = outside_new(&made.profile, "prog");
        struct rows rows;
        struct model model;
        stacks_build(&rows.stacks, &made.profile, &program, outside, false);
        rows_evaluate(&rows, &rows.stacks, &made.profile, &program, NULL,
                      BRANCH_COMPILED);
        make_model(&model, &made, outside != NULL);
        compare(&rows, &model);
        compare_times(&rows.stacks);
        deep += model.stack[F] > 0 && model.edges[F + 1][F] > 0;
        rows_free(&rows);
        outside_free(outside);
        profile_free(&made.profile);
    }
    /* The trees have recursion in them. */
    ck_assert_uint_gt(deep, 100);
    tables_close(tables[0]);
}

/* A chain as long as a file may contain, and a walk over it. */
TEST(a_very_deep_stack)
{
    enum { DEPTH = 300000 };
    struct tables *tables[1] = {make_tables()};
    struct program program = {.tables = tables, .count = 1};
    struct profile profile = {
        .kind = CCPROF_KIND_TIME, .sampling.samples = DEPTH, .sampling.stack = true};
    struct rows rows;
    uint32_t at = ROOT;
    profile_add_module(&profile, "prog", "aa");
    for (int i = 0; i < DEPTH; i++)
        at = profile_add(&profile, at, 0, i % 2 ? 0x1008 : 0x1010, 1);
    stacks_build(&rows.stacks, &profile, &program, NULL, false);
    rows_evaluate(&rows, &rows.stacks, &profile, &program, NULL, BRANCH_COMPILED);
    ck_assert_uint_eq(rows.stacks.nodes.count, 2 * DEPTH);
    ck_assert_uint_eq(rows.count, 3);
    for (size_t i = 0; i < rows.count; i++) {
        /* The first sample has only g on its stack, all others have all three
           functions. */
        bool is_g = strcmp(rows.rows[i].source.name, "g") == 0;
        ck_assert_uint_eq(rows_total(&rows.rows[i]), is_g ? DEPTH : DEPTH - 1);
    }
    struct stacks_walk walk = {0};
    size_t enters = 0, leaves = 0;
    while (stacks_walk_next(&rows.stacks, &walk))
        *(walk.leave ? &leaves : &enters) += 1;
    ck_assert_uint_eq(enters, 2 * DEPTH);
    ck_assert_uint_eq(leaves, 2 * DEPTH);
    rows_free(&rows);
    profile_free(&profile);
    tables_close(tables[0]);
}
