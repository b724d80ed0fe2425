/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the instruction that the samples at an address are charged to, from the
   latencies and the paths of the machine code (elf/cfg.h). All samples of a function
   are charged together. */

#include "mlprof/program/skid.h"
#include "mlprof/base/buf.h"
#include "mlprof/program/machine-code.h"

#include <assert.h>
#include <stdlib.h>

/* If an address has fewer than 1/SEEN_FRACTION of the samples after its instruction,
   it is treated as an address without samples. */
#define SEEN_FRACTION 20

/* A mispredicted branch costs at least MISSED_CYCLES cycles. With fewer than
   MISSED_SAMPLES samples, a mispredicted branch cannot be recognized. */
#define MISSED_CYCLES  4
#define MISSED_SAMPLES 8

/* An address with samples. */
struct point {
    uint32_t module;
    uint64_t address;
    uint64_t count;
    bool found;                /* CHARGE is set */
    struct skid_charge charge; /* its member `count' is not set */
    uint64_t first;            /* the part of COUNT that is charged to the first place */
    /* CHARGED: the number of samples charged so far. GIVEN: how many of them were
       charged to the first place. */
    uint64_t charged, given;
};

struct skid {
    const struct profile *profile;
    struct machine_code *code;
    struct point *points; /* sorted by module and address */
    size_t point_count;
    uint32_t *of_node; /* by node of the profile: index in POINTS */
    uint64_t read, unread;
};

/* An instruction of the function in a scene. */
struct place {
    uint64_t count; /* samples at the instruction */
    uint32_t point; /* index in the points of the function */
};

/* The function whose samples are being charged. */
struct scene {
    struct skid *skid;
    struct machine_code_function in;
    struct place *places; /* by instruction */
    size_t capacity;
};

/* A node with samples. */
struct sampled {
    uint32_t module, node;
    uint64_t address;
};

BUF_COMPARE(by_address, struct sampled,
            BUF_ORDER(a->module, b->module) ?: BUF_ORDER(a->address, b->address))

/* Returns the nodes with samples, sorted by address. In this order, consecutive nodes
   are usually in the same function, so the function is looked up only once and stays
   in the processor's caches. The caller frees the result. */
static struct sampled *find_sampled(const struct profile *profile, size_t *count)
{
    struct sampled *list = buf_alloc((profile->nodes.count + 1) * sizeof *list);
    *count = 0;
    for (size_t i = 0; i < profile->nodes.count; i++) {
        const struct profile_node *node = &profile->nodes.list[i];
        if (node->count)
            list[(*count)++] = (struct sampled){
                .module = node->module, .node = (uint32_t)i, .address = node->address};
    }
    BUF_SORT(list, *count, by_address);
    return list;
}

static void count_points(struct skid *skid)
{
    size_t count;
    BUF_OWN struct sampled *list = find_sampled(skid->profile, &count);
    skid->points = buf_alloc((count + 1) * sizeof *skid->points);
    skid->of_node = buf_alloc((skid->profile->nodes.count + 1) * sizeof *skid->of_node);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || by_address(&list[i - 1], &list[i]) != 0)
            skid->points[skid->point_count++] =
                (struct point){.module = list[i].module, .address = list[i].address};
        skid->points[skid->point_count - 1].count +=
            skid->profile->nodes.list[list[i].node].count;
        skid->of_node[list[i].node] = (uint32_t)skid->point_count - 1;
    }
}

void skid_free(struct skid *skid)
{
    if (!skid)
        return;
    free(skid->points);
    free(skid->of_node);
    free(skid);
}

uint64_t skid_read(const struct skid *skid)
{
    return skid->read;
}

uint64_t skid_unread(const struct skid *skid)
{
    return skid->unread;
}

static uint64_t count_at(const struct scene *scene, size_t number)
{
    assert(number < scene->in.cfg->code.count);
    return scene->places[number].count;
}

static const struct insn *insn_of(const struct scene *scene, size_t number)
{
    return &scene->in.cfg->code.list[number];
}

/* Returns the innermost shown copy at an instruction. */
static uint32_t copy_at(const struct scene *scene, size_t number)
{
    const struct function *function = scene->in.function;
    uint32_t point = scene->places[number].point;
    return function->copies.list[function->points.list[point].copy].shown;
}

static bool is_slow(const struct insn *insn)
{
    return insn->memory || insn->cycles > 1;
}

/* Returns the first of the instructions that the processor executes as one operation
   with instruction NUMBER. A comparison with a memory operand is fused with the
   conditional jump after it. */
static size_t first_fused(const struct scene *scene, size_t number)
{
    if (insn_of(scene, number)->transfer == INSNS_BRANCH && number > 0 &&
        insn_of(scene, number - 1)->joins && insn_of(scene, number - 1)->memory &&
        !cfg_is_target(scene->in.cfg, number))
        return number - 1;
    return number;
}

/* Summary of the paths that lead to an instruction. COUNT is the number of paths,
   SLOW_COUNT the number of slow paths, which may have taken long. ANY is the last
   instruction on one of the paths, SLOW the last instruction on a slow path.
   TOGETHER: all paths end in the same copy. */
struct path_ends {
    size_t count, slow_count;
    size_t any, slow;
    bool together;
    bool branch; /* ANY is a conditional jump */
};

static struct path_ends summarize_paths(const struct scene *scene, size_t number)
{
    struct path_ends path_ends = {.together = true};
    struct cfg_walk walk = {.number = number};
    size_t before;
    uint32_t copy = 0;
    while (cfg_predecessor(scene->in.cfg, &walk, &before)) {
        size_t last = first_fused(scene, before);
        bool branch = insn_of(scene, before)->transfer == INSNS_BRANCH;
        uint32_t here = copy_at(scene, last);
        if (path_ends.count++ == 0)
            copy = here;
        path_ends.together &= here == copy;
        if (path_ends.count == 1 || (branch && !path_ends.branch))
            path_ends.any = last;
        path_ends.branch |= branch;
        if (is_slow(insn_of(scene, last))) {
            path_ends.slow = last;
            path_ends.slow_count++;
        }
    }
    return path_ends;
}

/* Returns the instruction that ended last before instruction NUMBER. If only one path
   leads to NUMBER, or if only one of the paths may have taken long, this is the last
   instruction of that path. If all paths end in the same copy, it is the last
   instruction of any path. Otherwise it is unknown, and the count of instructions is
   returned. */
static size_t find_last(const struct scene *scene, size_t number)
{
    struct path_ends path_ends = summarize_paths(scene, number);
    if (path_ends.slow_count == 1)
        return path_ends.slow;
    return path_ends.count == 1 || (path_ends.count > 1 && path_ends.together)
               ? path_ends.any
               : scene->in.cfg->code.count;
}

/* Returns whether the processor had to wait for the fetch of instruction NUMBER, the
   first instruction of a block. The test compares the COUNT samples after the
   instruction with the samples of the rest of the block. Without waiting, an
   instruction that takes one cycle would have fewer samples. */
static bool is_missed(const struct scene *scene, size_t number, uint64_t count)
{
    uint64_t rest = 0, cycles = 0;
    if (count < MISSED_SAMPLES || is_slow(insn_of(scene, number)))
        return false;
    for (size_t i = number + 1; i + 1 < scene->in.cfg->code.count; i++) {
        if (cfg_is_target(scene->in.cfg, i) || !cfg_falls_through(scene->in.cfg, i))
            break;
        cycles += insn_of(scene, i)->cycles;
        if (insn_of(scene, i)->transfer != INSNS_NEXT)
            break;
        rest += count_at(scene, i + 1);
    }
    return cycles && count * cycles > MISSED_CYCLES * rest;
}

/* If the COUNT samples after instruction NUMBER were taken because a branch was
   mispredicted, returns the branch. Otherwise returns NUMBER. */
static size_t find_missed(const struct scene *scene, size_t number, uint64_t count)
{
    if (insn_of(scene, number)->transfer != INSNS_NEXT ||
        !is_missed(scene, number, count))
        return number;
    struct path_ends path_ends = summarize_paths(scene, number);
    return path_ends.branch && (path_ends.count == 1 || path_ends.together)
               ? path_ends.any
               : number;
}

/* Returns the place of instruction NUMBER. */
static struct skid_place place_of(const struct scene *scene, size_t number)
{
    return (struct skid_place){
        .address = insn_of(scene, number)->address,
        .point = {.function = scene->in.number, .point = scene->places[number].point}};
}

/* Returns the place from which the function called by CALL returned. */
static struct skid_place find_return(const struct scene *scene, const struct insn *call)
{
    struct skid_place place = {0};
    place.address = machine_code_return(scene->skid->code, scene->in.module, call->target,
                                        &place.point);
    return place;
}

/* Returns the number of samples at POINT that belong to LAST. BEFORE and LAST are
   adjacent instructions. LAST ended last and does not access memory. BEFORE takes at
   least as long as LAST. The BETWEEN samples between the two instructions belong to
   BEFORE. If both instructions ended together, some of the samples after LAST belong
   to BEFORE, too. */
static uint64_t last_share(const struct point *point, uint64_t between,
                           const struct insn *before, const struct insn *last)
{
    uint64_t all = point->count + between;
    uint64_t most = all * last->cycles / (before->cycles + last->cycles);
    return most < point->count ? most : point->count;
}

/* Divides the samples at POINT between instruction NUMBER, which ended last, and the
   instruction before it. */
static void divide(const struct scene *scene, size_t number, struct point *point)
{
    struct skid_charge *charge = &point->charge;
    if (number == 0 || cfg_is_target(scene->in.cfg, number))
        return;
    const struct insn *last = insn_of(scene, number);
    const struct insn *before = insn_of(scene, number - 1);
    if (before->transfer == INSNS_CALL)
        charge->returned[1] = find_return(scene, before);
    if (before->transfer != INSNS_NEXT && !charge->returned[1].address)
        return;
    uint64_t between = count_at(scene, number);
    charge->places[1] = place_of(scene, number - 1);
    if (!before->stores && !last->memory && before->cycles >= last->cycles) {
        point->first = last_share(point, between, before, last);
        charge->uncertain = true;
    } else if (is_slow(before)) {
        charge->uncertain = between * SEEN_FRACTION < point->count;
    }
}

/* Finds the instructions that the samples at POINT are charged to. ADDRESS is the
   address of POINT, in the scene's function. Returns false if they are unknown. */
static bool find_charge(const struct scene *scene, uint64_t address, struct point *point)
{
    size_t number = cfg_at(scene->in.cfg, address);
    if (number == scene->in.cfg->code.count)
        return false;
    size_t last = find_last(scene, number);
    if (last == scene->in.cfg->code.count ||
        insn_of(scene, last)->transfer == INSNS_UNKNOWN)
        return false;
    size_t missed = last + 1 == number ? find_missed(scene, last, point->count) : last;
    point->first = point->count;
    point->charge = (struct skid_charge){.places = {place_of(scene, missed)}};
    if (insn_of(scene, missed)->transfer == INSNS_CALL)
        point->charge.returned[0] = find_return(scene, insn_of(scene, missed));
    else if (missed == last && last + 1 == number)
        divide(scene, last, point);
    return true;
}

/* Finds the point of each instruction. Instructions and points are both sorted by
   address. */
static void find_places(struct scene *scene)
{
    const struct cfg *cfg = scene->in.cfg;
    const struct function *function = scene->in.function;
    scene->places =
        buf_grow(scene->places, &scene->capacity, cfg->code.count, sizeof *scene->places);
    size_t next = 0;
    uint32_t point = 0;
    for (size_t i = 0; i < cfg->code.count; i++) {
        uint64_t offset = cfg->code.list[i].address - scene->in.start;
        for (; next < function->entries.count &&
               function->entries.list[next].offset <= offset;
             next++)
            point = function->entries.list[next].point;
        scene->places[i] = (struct place){.point = point};
    }
}

/* Charges the samples of the first of COUNT points, and of all following points in the
   same function. Returns the number of points in this function. */
static size_t charge_function(struct scene *scene, struct point *points, size_t count)
{
    struct skid *skid = scene->skid;
    size_t inside = 1;
    if (!machine_code_find(skid->code, points->module, points->address, &scene->in))
        return inside;
    while (inside < count && points[inside].module == scene->in.module &&
           points[inside].address < scene->in.end)
        inside++;
    if (scene->in.cfg) {
        find_places(scene);
        for (size_t i = 0; i < inside; i++) {
            size_t number = cfg_at(scene->in.cfg, points[i].address);
            if (number < scene->in.cfg->code.count)
                scene->places[number].count = points[i].count;
        }
    }
    for (size_t i = 0; i < inside; i++) {
        struct point *point = &points[i];
        *(scene->in.cfg ? &skid->read : &skid->unread) += point->count;
        point->found = scene->in.cfg && find_charge(scene, point->address, point);
    }
    machine_code_forget(skid->code, scene->in.module, scene->in.number);
    return inside;
}

struct skid *skid_new(const struct profile *profile, const struct program *program)
{
    struct skid *skid = buf_alloc(sizeof *skid);
    *skid = (struct skid){.profile = profile, .code = program->code};
    count_points(skid);
    struct scene scene = {.skid = skid};
    for (size_t i = 0; i < skid->point_count;)
        i += charge_function(&scene, &skid->points[i], skid->point_count - i);
    free(scene.places);
    return skid;
}

/* Returns how many of COUNT samples at POINT are charged to the first place. The
   result is rounded, but the sum over several calls is exact: the rounding error is
   carried over. */
static uint64_t take_count(struct point *point, uint64_t count)
{
    point->charged += count;
    double due = (double)point->charged * (double)point->first / (double)point->count +
                 0.5 - (double)point->given;
    uint64_t share = due < 1 ? 0 : due < (double)count ? (uint64_t)due : count;
    point->given += share;
    return share;
}

bool skid_find(struct skid *skid, size_t node, struct skid_charge *charge)
{
    uint64_t count = skid->profile->nodes.list[node].count;
    struct point *point = &skid->points[skid->of_node[node]];
    if (count == 0 || !point->found)
        return false;
    *charge = point->charge;
    charge->point = skid->of_node[node];
    charge->count[0] = take_count(point, count);
    charge->count[1] = count - charge->count[0];
    return true;
}

size_t skid_point_count(const struct skid *skid)
{
    return skid->point_count;
}

bool skid_point(const struct skid *skid, size_t number, uint32_t *module,
                struct skid_charge *charge)
{
    assert(number < skid->point_count);
    const struct point *point = &skid->points[number];
    *module = point->module;
    *charge = point->charge;
    charge->point = number;
    charge->count[0] = point->first;
    charge->count[1] = point->count - point->first;
    return point->found;
}
