/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files stacks*.c. stacks-build.c walks over the profile and divides
   samples among frames. stacks-frames.c reads and adds the frames at the points of the
   profile. stacks.c holds the tree; stacks-filter.c changes it. */

#ifndef MLPROF_STACKS_INSIDE_H
#define MLPROF_STACKS_INSIDE_H

#include "mlprof/program/program.h"
#include "mlprof/program/exits.h"
#include "mlprof/stacks/stacks.h"

/* Adds a source with the same texts as SOURCE. stacks_source never returns this new
   source. */
uint32_t stacks_double_source(struct stacks *stacks, uint32_t source);

/* Returns the source called NAME, for something outside of the tables. */
uint32_t stacks_name_source(struct stacks *stacks, const char *name);

/* Returns the copy with this identity. If *FRESH is set, the copy is new, and the
   caller must set its source. */
uint32_t stacks_put_copy(struct stacks *stacks, uint64_t module, uint32_t function,
                         uint32_t copy, bool *fresh);

/* stacks_put_frame_copy returns the copy of FRAME, a frame of a function in the
   tables. stacks_put_outside_copy returns the copy of SOURCE, which is outside of the
   tables, in the module HOME (STACKS_NONE: unknown). */
uint32_t stacks_put_frame_copy(struct stacks *stacks, uint32_t module,
                               uint32_t function_number, const struct unit *unit,
                               const struct function_frame *frame);
uint32_t stacks_put_outside_copy(struct stacks *stacks, uint32_t source, uint32_t home);

/* Returns the number of a position of a unit. */
uint32_t stacks_put_position(struct stacks *stacks, const struct unit *unit,
                             const struct function_position *position);

/* Returns the node below PARENT with this copy and position; creates the node if it
   does not exist. PARENT may be STACKS_NONE. ADDRESS must be 0 unless nodes are
   distinguished by address. */
uint32_t stacks_put_node(struct stacks *stacks, uint32_t parent, uint32_t copy,
                         uint32_t position, uint64_t address);

/* Like stacks_put_node, for code without tables, which has the name NAME or the source
   SOURCE, and no position. HOME is its module, or STACKS_NONE. */
uint32_t stacks_put_outside(struct stacks *stacks, uint32_t parent, const char *name,
                            uint32_t home);
uint32_t stacks_put_outside_at(struct stacks *stacks, uint32_t parent, uint32_t source,
                               uint32_t home, uint64_t address);

/* Returns the sibling of NODE for the time that its frame spent in the kernel. */
uint32_t stacks_put_in_kernel(struct stacks *stacks, uint32_t node);

/* Like stacks_put_node, for a phase or a thread. A phase and a thread with the same
   name are different nodes. */
uint32_t stacks_put_around(struct stacks *stacks, uint32_t parent, const char *name,
                           enum stacks_what what);

/* Like stacks_put_node, for the reason NAME for which a thread waits, for OBJECT (struct
   stacks_copy). */
uint32_t stacks_put_wait(struct stacks *stacks, uint32_t parent, const char *name,
                         uint32_t object);

/* Links the nodes to a tree and adds up their counts. */
void stacks_finish(struct stacks *stacks);

/* A frame that can be added below another frame. */
struct stacks_frame {
    uint32_t copy, position;
    uint64_t address; /* 0: addresses are not kept */
    bool inlined;     /* inlined into the frame around it */
};

/* A part of a list of frames, outermost frame first. */
struct stacks_span {
    size_t first, count;
};

/* The frames at each address of a profile. They are read in the order of addresses,
   before the walk over the profile. During the walk, each read would access a distant
   place in memory. All members start as zero. */
struct stacks_places {
    struct stacks_frame *frames;
    size_t capacity;
    /* By node of the profile: the place of its address. Place 0 has no frames. */
    uint32_t *of_node;
    /* By place: the frames at the place. Some nodes have the place 0 although they
       have frames (see find_places). */
    struct stacks_span *spans;
    /* Two for each point of skid.h: the frames that its samples are charged to. */
    struct stacks_span *charged;
};

/* Data that is needed while the stacks are built. */
struct stacks_builder {
    struct stacks *stacks;
    const struct profile *profile;
    const struct program *program;
    struct outside *outside; /* NULL: functions outside are not shown */
    uint32_t kernel;         /* its module */
    bool by_address;         /* frames are distinguished by address */
    uint32_t *ends;          /* by node of the profile: its innermost frame */
    /* By node of the profile: the innermost frame around all code, or STACKS_NONE. */
    uint32_t *enclosing;
    /* By node of the profile: whether repeated calls were left out there
       (mlmon.out(5)). */
    bool *repeated;
    struct stacks_places places;
    struct shares_own times, values, origins; /* of the current node of the profile */
    struct frames frames, others;             /* kept for reuse */
    struct tail_calls *tail_calls;            /* NULL: tail calls are not searched for */
    struct site_code *site_code;
};

/* Adds the local stack at an address below PARENT. Returns the innermost frame, or
   PARENT if the local stack is empty. */
uint32_t stacks_add_local_stack(struct stacks_builder *build, uint32_t parent,
                                uint32_t module, uint64_t address);

/* Adds the frames of SPAN below PARENT. Returns the innermost frame. */
uint32_t stacks_add_span(struct stacks_builder *build, uint32_t parent,
                         const struct stacks_span *span);

/* Reads the frames at the points of the profile. LEAVES says, by node of the profile,
   whether no node is below it. */
void stacks_places_read(struct stacks_builder *build, const bool *leaves);

void stacks_places_free(struct stacks_places *places);

/* Adds the frames at node NUMBER of the profile below PARENT. Returns the innermost
   frame. */
uint32_t stacks_add_point(struct stacks_builder *build, size_t number, uint32_t parent);

/* Adds a frame with the name of the node's function, which is outside of the tables, or
   of its module. */
uint32_t stacks_add_outside(struct stacks_builder *build, uint32_t parent,
                            const struct profile_node *node);

/* Adds a frame for the reason of a wait, NODE of module PROFILE_WAIT. */
uint32_t stacks_add_wait(struct stacks_builder *build, uint32_t parent,
                         const struct profile_node *node);

/* Returns whether the node's code, which has no frames, belongs to its caller: its
   function was excluded or removed (names.h). */
bool stacks_is_folded(const struct stacks_builder *build,
                      const struct profile_node *node);

/* Returns whether stacks_add_point would add a frame. */
bool stacks_has_frames(struct stacks_builder *build, size_t number);

/* Adds the frame of a phase or thread. */
uint32_t stacks_add_around(struct stacks_builder *build, uint32_t parent,
                           const struct profile_node *node);

/* Sets the source, copy, position and frames of SITE to the values of NODE. */
void stacks_place_site(const struct stacks *stacks, struct allocs_site *site,
                       uint32_t node);

#endif
