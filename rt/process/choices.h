/* SPDX-License-Identifier: MIT */
/* What a request may choose for a run that has not sampled yet: the rate and the times of
   its samples. A file has one rate, so nothing changes after the first sample.

   Called by the handler of requests, with all signals blocked, in any thread. */

#ifndef CCPROF_CHOICES_H
#define CCPROF_CHOICES_H

/* Take HZ samples per second, and record the times of samples in buckets of MILLISECONDS
   (0: no times), as the settings `rate' and `times' do. Return 0, also if the run already
   does so, or an errno value: EBUSY if the run has sampled with another value, ENODATA if
   it takes no samples, ECANCELED if it has ended, EAGAIN if another thread is opening the
   gate, ENOMEM. */
int ccprof_choices_rate(unsigned hz);
int ccprof_choices_times(unsigned milliseconds);

#endif
