/* SPDX-License-Identifier: GPL-3.0-or-later */
/* train-positions: finds where in the source the blocks of the current function stand, in
   the terms in which gcc -fauto-profile looks counts up, for train.cc.

   Source: GCC's auto-profile.cc (get_inline_stack, afdo_set_bb_count): a statement's
   position is how many lines it stands behind the declaration of its function, and its
   discriminator; what was inlined has the position of each call around it, too.  GCC
   looks behind early inlining, where the flow graph of `train' is.  */

#ifndef CCPROF_TRAIN_POSITIONS_H
#define CCPROF_TRAIN_POSITIONS_H

#define TRAIN_NOWHERE UINT_MAX

/* In BODY, which is 0 for the function's own or the number of an inlined one from 1 on.
 */
struct train_position {
    unsigned body, offset, discriminator;
};

/* A body that was inlined by the call at that position.  */
struct train_inlined {
    struct train_position call;
    tree function;
};

struct train_positions {
    auto_vec<struct train_inlined> inlined; /* outer ones before those in them */
    auto_vec<struct train_position> list;   /* of all blocks, each block's in a row */
    auto_vec<unsigned> ends;                /* by block: the end of its row */
    /* As they are asked for; one without a position is in TRAIN_NOWHERE.  */
    auto_vec<struct train_position> calls;
};

/* Fills FOUND for the current function, of whose CALLS it tells as well.  */
void train_positions_find(struct train_positions *found, const vec<gimple *> &calls);

#endif
