// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the tree from the top down, dividing by the surface area heuristic
// (Goldsmith and Salmon, 1987), and walks it recursively.

#include "tree.h"

#include <stdio.h>
#include <stdlib.h>

enum { LEAF_MAX = 2, BINS = 16 };

// An inner node has its children at `first` and `first + 1`; a leaf has `count`
// spheres from `first` on.
typedef struct {
    Box box;
    int first;
    int count; // 0: an inner node
} Node;

struct Tree {
    Sphere *spheres;
    Node *nodes;
    int used;
};

// One of the slices into which a node's extent is cut to find where to divide.
typedef struct {
    Box box;
    int count;
} Bin;

typedef struct {
    int axis;
    int bin; // the spheres in bins below go left
    double low, scale;
    double cost;
} Cut;

static Box bounds(const Sphere *spheres, int count)
{
    Box box = box_empty();

    for (int i = 0; i < count; i++)
        box = box_join(box, sphere_box(&spheres[i]));
    return box;
}

static Box bounds_of_centres(const Sphere *spheres, int count)
{
    Box box = box_empty();

    for (int i = 0; i < count; i++)
        box = box_join(box, (Box){spheres[i].centre, spheres[i].centre});
    return box;
}

static int bin_of(const Cut *cut, const Sphere *s)
{
    int bin = (int)((vec_axis(s->centre, cut->axis) - cut->low) * cut->scale);

    return bin < BINS ? bin : BINS - 1;
}

static void fill_bins(Bin *bins, const Cut *cut, const Sphere *spheres, int count)
{
    for (int i = 0; i < BINS; i++)
        bins[i] = (Bin){box_empty(), 0};
    for (int i = 0; i < count; i++) {
        Bin *bin = &bins[bin_of(cut, &spheres[i])];

        bin->box = box_join(bin->box, sphere_box(&spheres[i]));
        bin->count++;
    }
}

// What the part costs: the chance that a ray meets it, times its spheres.
static double weigh(const Bin *part)
{
    return part->count > 0 ? box_area(part->box) * part->count : 0;
}

static void extend(Bin *part, const Bin *bin)
{
    part->box = box_join(part->box, bin->box);
    part->count += bin->count;
}

// Puts the cheapest division along CUT's axis into CUT.
static void choose_bin(const Bin *bins, Cut *cut)
{
    double right_cost[BINS];
    Bin part = {box_empty(), 0};

    for (int i = BINS - 1; i > 0; i--) {
        extend(&part, &bins[i]);
        right_cost[i] = weigh(&part);
    }
    part = (Bin){box_empty(), 0};
    for (int i = 1; i < BINS; i++) {
        double cost;

        extend(&part, &bins[i - 1]);
        cost = weigh(&part) + right_cost[i];
        if (cost < cut->cost) {
            cut->cost = cost;
            cut->bin = i;
        }
    }
}

static Cut cut_along(int axis, Box centres, const Sphere *spheres, int count)
{
    Cut cut = {axis, 0, vec_axis(centres.low, axis), 0, RAY_FAR};
    double size = vec_axis(box_size(centres), axis);
    Bin bins[BINS];

    if (size <= 0)
        return cut;
    cut.scale = BINS / size;
    fill_bins(bins, &cut, spheres, count);
    choose_bin(bins, &cut);
    return cut;
}

static Cut best_cut(const Sphere *spheres, int count)
{
    Box centres = bounds_of_centres(spheres, count);
    Cut best = cut_along(0, centres, spheres, count);

    for (int axis = 1; axis < 3; axis++) {
        Cut cut = cut_along(axis, centres, spheres, count);

        if (cut.cost < best.cost)
            best = cut;
    }
    return best;
}

// Moves the spheres left of the cut to the front and says how many they are.
static int partition(const Cut *cut, Sphere *spheres, int count)
{
    int left = 0;

    for (int i = 0; i < count; i++) {
        if (bin_of(cut, &spheres[i]) < cut->bin) {
            Sphere swap = spheres[left];

            spheres[left++] = spheres[i];
            spheres[i] = swap;
        }
    }
    return left;
}

static void make_leaf(Node *node, int first, int count)
{
    node->first = first;
    node->count = count;
}

// Divides the spheres [first, first + count) below nodes[index].
static void divide(Tree *tree, int index, int first, int count)
{
    Node *node = &tree->nodes[index];
    Sphere *spheres = tree->spheres + first;
    Cut cut;
    int left, children;

    node->box = bounds(spheres, count);
    if (count <= LEAF_MAX) {
        make_leaf(node, first, count);
        return;
    }
    cut = best_cut(spheres, count);
    left = cut.cost < RAY_FAR ? partition(&cut, spheres, count) : count / 2;
    if (left == 0 || left == count)
        left = count / 2;
    children = tree->used;
    tree->used += 2;
    node->first = children;
    node->count = 0;
    divide(tree, children, first, left);
    divide(tree, children + 1, first + left, count - left);
}

static void *allocate(size_t size)
{
    void *memory = malloc(size);

    if (!memory) {
        fputs("demo: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

Tree *tree_build(Sphere *spheres, int count)
{
    Tree *tree = allocate(sizeof *tree);

    tree->spheres = spheres;
    tree->nodes = allocate(2 * (size_t)count * sizeof *tree->nodes);
    tree->used = 1;
    divide(tree, 0, 0, count);
    return tree;
}

void tree_free(Tree *tree)
{
    free(tree->nodes);
    free(tree);
}

// Tries the spheres of a leaf; returns the one hit nearer than *LIMIT, which it
// lowers, or null.
static const Sphere *try_leaf(const Tree *tree, const Node *leaf, const Ray *r,
                              double *limit)
{
    const Sphere *found = NULL;

    for (int i = 0; i < leaf->count; i++) {
        const Sphere *s = &tree->spheres[leaf->first + i];
        double distance = sphere_hit(s, r);

        if (distance < *limit) {
            *limit = distance;
            found = s;
        }
    }
    return found;
}

// The child that the ray enters first goes first, so that what it hits there
// often spares the other.
static const Sphere *nearest_below(const Tree *tree, const Node *node, const Ray *r,
                                   double *limit)
{
    const Node *child = &tree->nodes[node->first];
    const Sphere *found = NULL, *other;
    double first, second;
    int swap;

    if (node->count > 0)
        return try_leaf(tree, node, r, limit);
    first = box_hit(&child[0].box, r, *limit);
    second = box_hit(&child[1].box, r, *limit);
    swap = second < first;
    if (swap) {
        double t = first;

        first = second;
        second = t;
    }
    if (first < *limit)
        found = nearest_below(tree, &child[swap], r, limit);
    if (second < *limit) {
        other = nearest_below(tree, &child[!swap], r, limit);
        if (other)
            found = other;
    }
    return found;
}

void tree_nearest(const Tree *tree, const Ray *r, Hit *hit)
{
    const Sphere *s;

    if (box_hit(&tree->nodes[0].box, r, hit->distance) >= hit->distance)
        return;
    s = nearest_below(tree, &tree->nodes[0], r, &hit->distance);
    if (s) {
        hit->normal = sphere_normal(s, ray_at(r, hit->distance));
        hit->material = s->material;
    }
}

static bool blocked_below(const Tree *tree, const Node *node, const Ray *r, double limit)
{
    const Node *child = &tree->nodes[node->first];

    if (box_hit(&node->box, r, limit) >= limit)
        return false;
    if (node->count > 0)
        return try_leaf(tree, node, r, &limit) != NULL;
    return blocked_below(tree, &child[0], r, limit) ||
           blocked_below(tree, &child[1], r, limit);
}

bool tree_blocked(const Tree *tree, const Ray *r, double limit)
{
    return blocked_below(tree, &tree->nodes[0], r, limit);
}
