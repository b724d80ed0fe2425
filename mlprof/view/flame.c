/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the flame graph as SVG, for -flame: computes the place of each box from the
   tree, then prints the boxes. flame.js is the script in the picture. */

#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/text.h"
#include "mlprof/base/encoding.h"
#include "mlprof/rows/calltree.h"
#include "mlprof/view/callgraph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The script that zooms and searches. It uses the width of the picture, the
   attributes data-l (samples to the left), data-w (samples), data-n (name), data-p
   (percentage) and data-s (short name) of the boxes, and the texts #reset, #search,
   #told and #matched. It must not contain "]]>". */
extern const char flame_script[];
EMBED("flame_script", "mlprof/view/flame.js");

/* Lengths in points. */
#define WIDTH     1200.0
#define NARROW    0.1
#define GAP       0.5 /* distance between boxes that are wider than 2 points */
#define BOX       17
#define TOP       44
#define BOTTOM    24
#define TEXT_SIZE 12
#define CHARACTER 7.3 /* the width of a character at TEXT_SIZE */

/* The box of a tree node. */
struct box {
    uint64_t weight;
    uint64_t left; /* left edge, in samples */
    uint32_t depth;
    bool drawn;
};

struct flame {
    const struct view *view;
    struct tree tree;
    struct box *boxes; /* indexed by node; node 0 has all samples */
    char **names;      /* by row */
};

/* A box's key for sorting boxes from left to right. */
struct slot {
    uint32_t parent, number;
    uint32_t row;
    const char *name;
};

BUF_COMPARE(by_parent_and_name, struct slot, BUF_ORDER(a->parent, b->parent) ?:
            strcmp(a->name, b->name) ?: BUF_ORDER(a->row, b->row))

/* Sets the place of each box. Boxes are sorted by parent. A parent has a lower
   number than its children, so its place is set before theirs. */
static void lay_out(struct flame *flame)
{
    const struct view *view = flame->view;
    const struct tree *tree = &flame->tree;
    BUF_OWN struct slot *slots = buf_alloc(tree->count * sizeof *slots);
    for (uint32_t i = 1; i < tree->count; i++)
        slots[i] = (struct slot){.parent = tree->nodes[i].parent,
                                 .number = i,
                                 .row = tree->nodes[i].row,
                                 .name = flame->names[tree->nodes[i].row]};
    if (tree->count > 1)
        BUF_SORT(slots + 1, tree->count - 1, by_parent_and_name);
    uint64_t left = 0;
    flame->boxes[0].drawn = true;
    for (size_t i = 1; i < tree->count; i++) {
        struct box *box = &flame->boxes[slots[i].number];
        const struct box *below = &flame->boxes[slots[i].parent];
        if (i == 1 || slots[i - 1].parent != slots[i].parent)
            left = below->left;
        box->left = left;
        box->depth = below->depth + 1;
        box->drawn = below->drawn && view_reaches(view, box->weight) &&
                     WIDTH * (double)box->weight >= NARROW * (double)view->rows->total;
        left += box->weight;
    }
}

/* Returns the colour of a name: gray if the name is in angle brackets, otherwise a
   warm colour. The colour depends only on the name (FNV-1a hash). */
static unsigned colour(const char *name)
{
    uint32_t hash = 2166136261u;
    for (const char *cursor = name; *cursor; cursor++)
        hash = (hash ^ (unsigned char)*cursor) * 16777619u;
    hash ^= hash >> 15;
    if (name[0] == '<') {
        unsigned light = 180 + hash % 40;
        return light << 16 | light << 8 | light;
    }
    return (205 + hash % 50) << 16 | (90 + (hash >> 8) % 130) << 8 | (hash >> 16) % 70;
}

/* Prints TEXT if it fits into ROOM characters, otherwise a prefix of TEXT followed by
   "..". */
static void print_beginning(FILE *out, const char *text, size_t room)
{
    size_t count = 0, end = 0, cut = 0;
    for (; text[end]; end++) {
        if (((unsigned char)text[end] & 0xc0) == 0x80)
            continue;
        if (room >= 2 && count == room - 2)
            cut = end;
        count++;
    }
    if (count <= room) {
        markup_print(out, text);
    } else if (room >= 3) {
        BUF_OWN char *prefix = buf_copy_prefix(text, cut);
        markup_print(out, prefix);
        fputs("..", out);
    }
}

/* Prints the name with its share if both fit. Otherwise prints the name, or LAST (its
   last component), or a prefix of LAST, depending on the room. The script does the
   same with the font of the browser. */
static void print_fitting(FILE *out, const char *name, const char *last,
                          const char *percent, double width)
{
    size_t room = width > 6 ? (size_t)((width - 6) / CHARACTER) : 0;
    if (text_width(name) + 2 + strlen(percent) <= room) {
        markup_print(out, name);
        fprintf(out, "  %s", percent);
    } else {
        print_beginning(out, text_width(name) > room ? last : name, room);
    }
}

/* Prints the tooltip of a box. */
static void print_tip(FILE *out, const struct view *view, const char *name,
                      const char *percent, uint64_t weight)
{
    markup_print(out, name);
    fprintf(out, " (%s", percent);
    if (view->profile->kind) {
        BUF_OWN char *amount = view_amount(view, weight);
        fprintf(out, ", %s", amount);
        if (profile_measure(view->profile)->sampled) {
            BUF_OWN char *samples = text_number(weight, "sample");
            fprintf(out, ", %s", samples);
        }
    }
    putc(')', out);
}

static void print_box(FILE *out, const struct flame *flame, size_t node, uint32_t deepest)
{
    const struct view *view = flame->view;
    const struct box *box = &flame->boxes[node];
    const char *name =
        node == TREE_EMPTY ? "all" : flame->names[flame->tree.nodes[node].row];
    double total = view->rows->total ? (double)view->rows->total : 1;
    double x = WIDTH * (double)box->left / total;
    double width = view->rows->total ? WIDTH * (double)box->weight / total : WIDTH;
    int64_t y = TOP + (int64_t)(deepest - box->depth) * BOX;
    BUF_OWN char *percent = view_percent(view, box->weight);
    const char *last = view->style.show_line ? name : text_last_component(name);
    fprintf(out, "<g class=\"b\" data-l=\"%" PRIu64 "\" data-w=\"%" PRIu64 "\" data-n=\"",
            box->left, box->weight);
    markup_print(out, name);
    fprintf(out, "\" data-p=\"%s\"", percent);
    if (last != name) {
        fputs(" data-s=\"", out);
        markup_print(out, last);
        putc('"', out);
    }
    fputs("><title>", out);
    print_tip(out, view, name, percent, box->weight);
    fprintf(
        out,
        "</title><rect x=\"%.1f\" y=\"%" PRId64
        "\" width=\"%.1f\" height=\"%d\" fill=\"#%06x\"/><text x=\"%.1f\" y=\"%" PRId64
        "\">",
        x, y, width > 2 ? width - GAP : width, BOX - 1, colour(name), x + 3,
        y + TEXT_SIZE);
    print_fitting(out, name, last, percent, width);
    fputs("</text></g>\n", out);
}

static void print_frame(FILE *out, const char *title, int64_t height)
{
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%" PRId64
            "\" viewBox=\"0 0 %.0f %" PRId64 "\">\n<title>",
            WIDTH, height, WIDTH, height);
    markup_print(out, title);
    fprintf(out,
            "</title>\n<style>text { font: %dpx monospace; pointer-events: none; } "
            ".b rect { cursor: pointer; } .b.hit rect { fill: #c050e0; } "
            ".b.below rect { opacity: 0.5; } .b.here rect { stroke: #000; } #title { "
            "font-size: 16px; } "
            ".button { cursor: pointer; pointer-events: all; }</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fafafa\"/>\n"
            "<text id=\"title\" x=\"%.0f\" y=\"24\" text-anchor=\"middle\">",
            TEXT_SIZE, WIDTH / 2);
    markup_print(out, title);
    fprintf(out,
            "</text>\n<text id=\"reset\" class=\"button\" x=\"3\" y=\"24\" "
            "visibility=\"hidden\">reset zoom</text>\n"
            "<text id=\"search\" class=\"button\" x=\"%.0f\" y=\"24\" "
            "text-anchor=\"end\">search</text>\n"
            "<text id=\"told\" x=\"3\" y=\"%" PRId64 "\"></text>\n"
            "<text id=\"matched\" x=\"%.0f\" y=\"%" PRId64
            "\" text-anchor=\"end\"></text>\n",
            WIDTH - 3, height - 7, WIDTH - 3, height - 7);
}

void flame_print(FILE *out, const struct view *view, const char *title)
{
    struct flame flame = {.view = view};
    uint32_t deepest = 0;
    flame.names = buf_alloc((view->rows->count + 1) * sizeof *flame.names);
    for (size_t i = 0; i < view->rows->count; i++)
        flame.names[i] = view_label(view, &view->rows->rows[i]);
    calltree_of_stacks(&flame.tree, view->rows);
    size_t count = flame.tree.count;
    flame.boxes = buf_alloc(count * sizeof *flame.boxes);
    BUF_OWN uint64_t *weights = tree_weights(&flame.tree);
    for (size_t i = 0; i < count; i++)
        flame.boxes[i].weight = weights[i];
    flame.boxes[TREE_EMPTY].weight = view->rows->total;
    lay_out(&flame);
    for (size_t i = 0; i < count; i++)
        if (flame.boxes[i].drawn && flame.boxes[i].depth > deepest)
            deepest = flame.boxes[i].depth;
    print_frame(out, title, TOP + ((int64_t)deepest + 1) * BOX + BOTTOM);
    for (size_t i = 0; i < count; i++)
        if (flame.boxes[i].drawn)
            print_box(out, &flame, i, deepest);
    fprintf(out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", flame_script);
    for (size_t i = 0; i < view->rows->count; i++)
        free(flame.names[i]);
    free(flame.names);
    free(flame.boxes);
    tree_free(&flame.tree);
}
