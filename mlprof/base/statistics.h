/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says how far numbers that were sampled can be trusted, for all that shows or compares
   them: intervals of 95 %, and how likely it is that chance alone made a difference. Pure
   functions.  Shares are from 0 to 1.  */

#ifndef MLPROF_STATISTICS_H
#define MLPROF_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A difference is certain if chance alone makes one as large in less than this share of
   all runs.  */
#define STATISTICS_LEVEL 0.05

struct statistics_interval {
    double least, most;
};

/* The share that COUNT of TOTAL samples tell: Wilson's score interval (Journal of the
   American Statistical Association 22, 1927, p. 209), which holds the truth in 95 of 100
   runs on average, of small counts, too (Brown, Cai, DasGupta, Statistical Science 16,
   2001).  COUNT is at most TOTAL; 0 to 1 without samples.  */
struct statistics_interval statistics_share(uint64_t count, uint64_t total);

/* The same if LESS of the COUNT may be another's, and MORE that others have may be this
   one's: as wide as the worst case.  */
struct statistics_interval statistics_share_uncertain(uint64_t count, uint64_t less,
                                                      uint64_t more, uint64_t total);

/* How many were to be expected where COUNT were seen: the score interval of a Poisson
   distribution's mean.  */
struct statistics_interval statistics_count(uint64_t count);

/* COUNT / TOTAL less BEFORE / BEFORE_TOTAL, of two profiles: Newcombe's hybrid score
   interval (Statistics in Medicine 17, 1998, p. 873, method 10).  */
struct statistics_interval statistics_difference(uint64_t count, uint64_t total,
                                                 uint64_t before, uint64_t before_total);

/* In which share of all pairs of profiles chance alone makes such a difference or a
   larger one, if the shares are the same: two-sided and exact for small counts (Fisher's
   test with mid-P, Lancaster, Journal of the American Statistical Association 56, 1961,
   p. 223).  1 if there is nothing to compare.  */
double statistics_same_share(uint64_t count, uint64_t total, uint64_t before,
                             uint64_t before_total);

/* The same of two counts, where the first is to be SHARE of both (0 < SHARE < 1) if
   chance alone made the difference: 0.5 for two rows of a profile, or two runs of equal
   length. Exact for small counts (binomial test with mid-P).  */
double statistics_same_count(uint64_t one, uint64_t other, double share);

/* In which share of all profiles LEAST or more of TOTAL samples are of something that has
   SHARE (0 < SHARE < 1): the upper tail of the binomial distribution, exact.  */
double statistics_tail(uint64_t least, uint64_t total, double share);

/* WORKERS have TOTAL samples together and one of them has MOST, more than the mean:
   whether chance alone gives any of them as many, in any of ROWS such rows, in less than
   STATISTICS_LEVEL of all runs in which all have the same (the inequality of
   Bonferroni).  */
bool statistics_is_uneven(uint64_t most, uint64_t total, size_t workers, size_t rows);

/* How far a share of TOTAL samples may be from the truth, at most, in 95 of 100 runs:
   half the interval of a share of one half.  1 without samples.  */
double statistics_bound(uint64_t total);

#endif
