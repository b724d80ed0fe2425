/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists what a user wants who looks for an option.  -help and the manual page have a
   heading for each, in this order.  */

#ifndef MLPROF_TOPIC_H
#define MLPROF_TOPIC_H

enum topic {
    TOPIC_USED, /* the ten options that are used most */
    TOPIC_TABLE,
    TOPIC_DATA,
    TOPIC_SOURCE,
    TOPIC_CALLS,
    TOPIC_MEMORY,
    TOPIC_REGIONS,
    TOPIC_PROCESSES,
    TOPIC_COMPARING,
    TOPIC_OTHERS, /* the formats of other programs, in the order of export_formats */
    TOPIC_LOOKS,
    TOPIC_ITSELF, /* about mlprof */
    TOPIC_ALL
};

#endif
