/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names what -heap shows, for whoever asks for it.  */

#ifndef MLPROF_HEAPVIEW_H
#define MLPROF_HEAPVIEW_H

enum heapview_what {
    HEAPVIEW_NOTHING,
    HEAPVIEW_LIVE,
    HEAPVIEW_PEAK,
    HEAPVIEW_LEAKS,
    HEAPVIEW_TOTAL,
    HEAPVIEW_TEMPORARY,
    HEAPVIEW_LIFETIMES
};

#endif
