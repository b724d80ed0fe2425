/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the tree, for the files stacks*.c: stacks-places.c reads the local stacks of a
   profile, stacks-build.c walks over it, stacks-frames.c adds the frames at its points,
   stacks-charge.c divides samples among them, and stacks.c has the tree.  */

#ifndef MLPROF_STACKS_INSIDE_H
#define MLPROF_STACKS_INSIDE_H

#include "mlprof/program/frames.h"
#include "mlprof/program/site-code.h"
#include "mlprof/program/tail-calls.h"
#include "mlprof/stacks/stacks.h"

/* The number of TEXT, which may be NULL, and the text with a number.  */
uint32_t stacks_put_text(struct stacks *stacks, const char *text);
const char *stacks_text(const struct stacks *stacks, uint32_t number);

/* A source of its own that looks like SOURCE, and that stacks_source never returns.  */
uint32_t stacks_double_source(struct stacks *stacks, uint32_t source);

/* The source of something outside.  */
uint32_t stacks_name_source(struct stacks *stacks, const char *name);

/* The copy with this identity; *FRESH tells that its source is still to be set.  */
uint32_t stacks_put_copy(struct stacks *stacks, uint64_t module, uint32_t function,
                         uint32_t copy, bool *fresh);

/* The copy that a frame of a function of the tables is, and that of something outside. */
uint32_t stacks_put_frame_copy(struct stacks *stacks, uint32_t module,
                               uint32_t function_number, const struct unit *unit,
                               const struct function_frame *frame);
uint32_t stacks_put_outside_copy(struct stacks *stacks, const char *name, uint32_t home);

/* The number of a position of a unit.  */
uint32_t stacks_put_position(struct stacks *stacks, const struct unit *unit,
                             const struct function_position *position);

/* The node below PARENT, which may be STACKS_NONE; a new one if it is not there.  */
uint32_t stacks_put_node(struct stacks *stacks, uint32_t parent, uint32_t copy,
                         uint32_t position);

/* The same where addresses are kept apart.  */
uint32_t stacks_put_node_at(struct stacks *stacks, uint32_t parent, uint32_t copy,
                            uint32_t position, uint64_t address);

/* The same of something outside, of which no position is known; HOME is its module, or
   STACKS_NONE.  */
uint32_t stacks_put_outside(struct stacks *stacks, uint32_t parent, const char *name,
                            uint32_t home);
uint32_t stacks_put_outside_at(struct stacks *stacks, uint32_t parent, const char *name,
                               uint32_t home, uint64_t address);

/* The same of a phase or a thread, which are two even if they are called alike.  */
uint32_t stacks_put_around(struct stacks *stacks, uint32_t parent, const char *name,
                           enum stacks_what what);

/* Joins the nodes and adds their counts up.  */
void stacks_finish(struct stacks *stacks);

/* A frame, ready to be put below another one.  */
struct stacks_frame {
    uint32_t copy, position;
    uint64_t address; /* 0: not kept */
    bool inlined;     /* into the one around it */
};

/* Frames of a list, the outermost one first.  */
struct stacks_span {
    size_t first, count;
};

/* The frames at the places of a profile.  They are read in the order of addresses, since
   in that of the profile each would be fetched from far away: only then it is walked
   over.  Starts as all zero.  */
struct stacks_places {
    struct stacks_frame *frames;
    size_t capacity;
    struct stacks_span *own;     /* by the profile's node, of its address; may be none
                                    though there are frames */
    struct stacks_span *charged; /* twice by the point of skid.h: what its samples are
                                    charged to */
};

/* What building needs beside the tree.  */
struct stacks_builder {
    struct stacks *stacks;
    const struct profile *profile;
    const struct program *program;
    struct outside *outside; /* NULL: not shown */
    bool by_address;         /* frames are kept apart by their addresses */
    uint32_t *ends;          /* by the profile's node: the innermost frame there */
    uint32_t *around;        /* and what is around its code, or none */
    bool *repeated;          /* and whether calls were left out there (mlmon.out(5)) */
    struct stacks_places places;
    struct shares_own times, origins; /* of the profile's node that is being added */
    struct frames frames, others;     /* for use over and over */
    struct tail_calls *tail_calls;    /* NULL: not looked for */
    struct site_code *site_code;
};

/* Adds the local stack at an address below PARENT; returns its innermost frame, PARENT if
   there is none.  */
uint32_t stacks_add_local_stack(struct stacks_builder *build, uint32_t parent,
                                uint32_t module, uint64_t address);

/* The frame with that NUMBER of those that were read.  */
struct stacks_frame stacks_number_frame(struct stacks_builder *build,
                                        const struct frames *frames, size_t number);

/* Adds the frames of a span of the places below PARENT; returns the innermost one.  */
uint32_t stacks_add_span(struct stacks_builder *build, uint32_t parent,
                         const struct stacks_span *span);

/* Reads the frames at the places of the profile; LEAVES says of its nodes whether there
   is none below.  */
void stacks_places_read(struct stacks_builder *build, const bool *leaves);

void stacks_places_free(struct stacks_places *places);

/* Adds the frames at the profile's node NUMBER below PARENT; returns the innermost one.
 */
uint32_t stacks_add_point(struct stacks_builder *build, size_t number, uint32_t parent);

/* Whether it would add any.  */
bool stacks_has_frames(struct stacks_builder *build, size_t number);

/* Adds the frame of a phase or thread.  */
uint32_t stacks_add_around(struct stacks_builder *build, uint32_t parent,
                           const struct profile_node *node);

/* Adds COUNT samples of the profile's node NUMBER to the frame END.  */
void stacks_add_samples(struct stacks_builder *build, size_t number, uint32_t end,
                        uint64_t count);

/* Adds the samples of the profile's node NUMBER below PARENT where the program spent the
   time (skid.h); false if that is where they were taken.  */
bool stacks_charge(struct stacks_builder *build, size_t number, uint32_t parent);

#endif
