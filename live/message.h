/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of ccprof-live. */

#ifndef LIVE_MESSAGE_H
#define LIVE_MESSAGE_H

/* Prints `ccprof-live: ' and the formatted text on stderr as one line, even if names in
   it have control characters. Returns the exit status of a failure. */
int message_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
