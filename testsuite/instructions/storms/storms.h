/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds of exceptions (throws.cc) and of longjmps (jumps.c) for storm.c. */

#ifndef STORMS_H
#define STORMS_H

#define NOINLINE __attribute__((noinline, noclone))

#ifdef __cplusplus
extern "C" {
#endif

/* An exception or a longjmp leaves the frames 1 to DEPTH, up to 20; none if it is 0. */
void throws(int depth);
void jumps(int depth);

/* Frame 15 returns if DEPTH is 0. */
void frame_15(int depth);
void jump_15(int depth);

/* Number of exceptions caught, among these caught and thrown again, and of longjmps. */
extern long caught, passed_on, landed;

#ifdef __cplusplus
}
#endif

#endif
