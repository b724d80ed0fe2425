/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows a ray of light backwards (Whitted, 1980). */

#ifndef DEMO_TRACE_H
#define DEMO_TRACE_H

#include "scene.h"

/* The colour seen along R, at most DEPTH mirrors away. */
Vec trace(const Scene *scene, const Ray *r, int depth);

#endif
