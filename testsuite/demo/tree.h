/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree of boxes over the spheres of a scene, so that a ray meets the few
   spheres near its path and not all of them. */

#ifndef DEMO_TREE_H
#define DEMO_TREE_H

#include <stdbool.h>
#include "sphere.h"

typedef struct Tree Tree;

/* Sorts the COUNT spheres, at least one, which the caller keeps for as long as
   the tree lives. Ends the program if there is no memory. */
Tree *tree_build(Sphere *spheres, int count);
void tree_free(Tree *tree);

/* The nearest sphere on R that is nearer than HIT->distance goes into HIT. */
void tree_nearest(const Tree *tree, const Ray *r, Hit *hit);

/* Whether anything stands on R before LIMIT. */
bool tree_blocked(const Tree *tree, const Ray *r, double limit);

#endif
