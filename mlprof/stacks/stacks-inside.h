/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files stacks*.c: stacks-build.c walks over the profile and divides
   samples among frames, stacks-frames.c reads and adds the frames at its points,
   stacks.c and stacks-filter.c change the tree, and stacks.c holds it.  */

#ifndef MLPROF_STACKS_INSIDE_H
#define MLPROF_STACKS_INSIDE_H

#include "mlprof/program/program.h"
#include "mlprof/program/exits.h"
#include "mlprof/stacks/stacks.h"

/* The copy of TEXT, which may be NULL.  */
const char *stacks_keep(struct stacks *stacks, const char *text);

/* Adds a source that looks like SOURCE, and that stacks_source never returns.  */
uint32_t stacks_double_source(struct stacks *stacks, uint32_t source);

/* The source called NAME, for something outside of the tables.  */
uint32_t stacks_name_source(struct stacks *stacks, const char *name);

/* The copy with this identity.  If *FRESH is set the copy is new, and its source is still
   to be set.  */
uint32_t stacks_put_copy(struct stacks *stacks, uint64_t module, uint32_t function,
                         uint32_t copy, bool *fresh);

/* The copy that FRAME of a function in the tables stands for; and the copy of something
   outside, SOURCE, in the module HOME (STACKS_NONE: not known).  */
uint32_t stacks_put_frame_copy(struct stacks *stacks, uint32_t module,
                               uint32_t function_number, const struct unit *unit,
                               const struct function_frame *frame);
uint32_t stacks_put_outside_copy(struct stacks *stacks, uint32_t source, uint32_t home);

/* The number of a position of a unit.  */
uint32_t stacks_put_position(struct stacks *stacks, const struct unit *unit,
                             const struct function_position *position);

/* The node below PARENT with this copy and position, made if it is missing.  PARENT may
   be STACKS_NONE; ADDRESS is 0 unless addresses are kept apart.  */
uint32_t stacks_put_node(struct stacks *stacks, uint32_t parent, uint32_t copy,
                         uint32_t position, uint64_t address);

/* Like stacks_put_node, for something outside, called NAME or SOURCE, which has no
   position.  HOME is its module, or STACKS_NONE.  */
uint32_t stacks_put_outside(struct stacks *stacks, uint32_t parent, const char *name,
                            uint32_t home);
uint32_t stacks_put_outside_at(struct stacks *stacks, uint32_t parent, uint32_t source,
                               uint32_t home, uint64_t address);

/* The node beside NODE for what its frame did in the kernel.  */
uint32_t stacks_put_in_kernel(struct stacks *stacks, uint32_t node);

/* Like stacks_put_node, for a phase or a thread.  A phase and a thread of one name are
   two nodes.  */
uint32_t stacks_put_around(struct stacks *stacks, uint32_t parent, const char *name,
                           enum stacks_what what);

/* Joins the nodes into a tree and adds up their counts.  */
void stacks_finish(struct stacks *stacks);

/* A frame, ready to be put below another one.  */
struct stacks_frame {
    uint32_t copy, position;
    uint64_t address; /* 0: addresses are not kept */
    bool inlined;     /* the frame is inlined into the frame around it */
};

/* A part of a list of frames, the outermost frame first.  */
struct stacks_span {
    size_t first, count;
};

/* The frames at each address of a profile.  They are read in the order of addresses,
   before the walk over the profile: in the order of the profile each would be fetched
   from far away.  Starts as all zero.  */
struct stacks_places {
    struct stacks_frame *frames;
    size_t capacity;
    /* By node of the profile: the place of its address.  Place 0 has no frames.  */
    uint32_t *of_node;
    /* By place: the frames there.  Some nodes that have frames have place 0
       (find_places).  */
    struct stacks_span *own;
    /* Two for each point of skid.h: the frames that its samples are charged to.  */
    struct stacks_span *charged;
};

/* The context of building.  */
struct stacks_builder {
    struct stacks *stacks;
    const struct profile *profile;
    const struct program *program;
    struct outside *outside; /* NULL: functions outside are not shown */
    uint32_t kernel;         /* its module */
    bool by_address;         /* frames are kept apart by their addresses */
    uint32_t *ends;          /* by node of the profile: its innermost frame */
    /* By node of the profile: the innermost frame around all code, or STACKS_NONE.  */
    uint32_t *around;
    /* By node of the profile: repeated calls were left out there (mlmon.out(5)).  */
    bool *repeated;
    struct stacks_places places;
    struct shares_own times, origins; /* of the node of the profile that is being added */
    struct frames frames, others;     /* kept for reuse */
    struct tail_calls *tail_calls;    /* NULL: not looked for */
    struct site_code *site_code;
};

/* Adds the local stack at an address below PARENT; returns the innermost frame, or PARENT
   if the stack is empty.  */
uint32_t stacks_add_local_stack(struct stacks_builder *build, uint32_t parent,
                                uint32_t module, uint64_t address);

/* Adds the frames of SPAN below PARENT; returns the innermost frame.  */
uint32_t stacks_add_span(struct stacks_builder *build, uint32_t parent,
                         const struct stacks_span *span);

/* Reads the frames at the points of the profile.  LEAVES says, by node of the profile,
   whether there is no node below.  */
void stacks_places_read(struct stacks_builder *build, const bool *leaves);

void stacks_places_free(struct stacks_places *places);

/* Adds the frames at the profile's node NUMBER below PARENT; returns the innermost
   frame.  */
uint32_t stacks_add_point(struct stacks_builder *build, size_t number, uint32_t parent);

/* Whether stacks_add_point would add any frame.  */
bool stacks_has_frames(struct stacks_builder *build, size_t number);

/* Adds the frame of a phase or thread.  */
uint32_t stacks_add_around(struct stacks_builder *build, uint32_t parent,
                           const struct profile_node *node);

/* Makes SITE one of the node of the stacks: its source, copy, position and frames.  */
void stacks_place_site(const struct stacks *stacks, struct allocs_site *site,
                       uint32_t node);

#endif
