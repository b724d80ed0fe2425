/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the ways from an allocation outwards, frame by frame, for the formats whose trees
   begin inside: dhat.c and massif.c.  Ways that begin alike are one as far as they do. */

#ifndef MLPROF_WAYS_H
#define MLPROF_WAYS_H

#include "mlprof/base/index.h"
#include "mlprof/view/views.h"

/* A way: a frame, and the way inside of it.  A way stands behind the way inside of it. */
struct ways_way {
    uint32_t inside, frame; /* number of the way inside, of the frame's text */
};

#define WAYS_NONE UINT32_MAX

/* What each frame's text begins with.  The formats have addresses, which are unknown for
   allocation sites.  */
#define WAYS_ADDRESS "0x0: "

/* All zero but VIEW: none.  */
struct ways {
    const struct view *view;
    struct intern frames; /* texts */
    struct index index;   /* key: inside, frame */
    struct ways_way *list;
    size_t count, capacity;
};

/* The number of the way that goes on from INSIDE, which may be WAYS_NONE, with the frame
   TEXT, which is freed.  */
uint32_t ways_put(struct ways *ways, uint32_t inside, char *text);

/* The same with the frame of a source, at a position of FILE, which may be NULL; without
   a column that is 0.  */
uint32_t ways_put_source(struct ways *ways, uint32_t inside, uint32_t source,
                         const char *file, uint32_t line, uint32_t column);

/* The same with the frame of a node of the view's stacks.  */
uint32_t ways_put_node(struct ways *ways, uint32_t inside, uint32_t node, bool columns);

void ways_free(struct ways *ways);

#endif
