/* SPDX-License-Identifier: MIT */
/* Keeps the names of phases, for the program's calls.  Owns the names.  A finished name
   never changes, so that it is read without a lock.  */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "rt/table/labels.h"
#include "rt/os/sys.h"
#include "rt/os/lock.h"

enum labels_state { LABELS_FREE, LABELS_BEING_MADE, LABELS_LOST, LABELS_MADE };

/* Nanoseconds that a thread waits for the thread that makes a label, which a fork may
   have removed; nobody waits for that a second time.  */
#define LABELS_PATIENCE 20000000u

/* The most bytes of a character in UTF-8.  */
#define LABELS_UTF8 4

static struct {
    _Atomic int state;
    char name[CCPROF_LABELS_NAME];
} labels[CCPROF_LABELS_MAX];

/* Returns where a name is cut off: between two characters, if the name is UTF-8.  */
static size_t labels_length(const char *name)
{
    size_t length = strnlen(name, CCPROF_LABELS_NAME - 1);
    size_t back = 0;

    if (name[length] == '\0')
        return length;
    while (back < LABELS_UTF8 && (name[length - back] & 0xc0) == 0x80)
        back++;
    return back < LABELS_UTF8 ? length - back : length;
}

static int labels_wait(_Atomic int *state)
{
    const uint64_t until = ccprof_sys_clock(CLOCK_MONOTONIC) + LABELS_PATIENCE;
    uint32_t turn = 0;
    int now = LABELS_BEING_MADE;

    while (now == LABELS_BEING_MADE && ccprof_sys_clock(CLOCK_MONOTONIC) < until) {
        ccprof_spin_pause(&turn);
        now = atomic_load_explicit(state, memory_order_acquire);
    }
    if (now == LABELS_BEING_MADE)
        atomic_compare_exchange_strong(state, &now, LABELS_LOST);
    return now;
}

static int labels_state(unsigned number)
{
    _Atomic int *state = &labels[number].state;
    int now = atomic_load_explicit(state, memory_order_acquire);

    return now == LABELS_BEING_MADE ? labels_wait(state) : now;
}

/* Makes label NUMBER; returns false if the label exists already.  */
static bool labels_make(unsigned number, const char *name, size_t length)
{
    int state = LABELS_FREE;
    if (!atomic_compare_exchange_strong(&labels[number].state, &state, LABELS_BEING_MADE))
        return false;
    memcpy(labels[number].name, name, length);
    labels[number].name[length] = '\0';
    atomic_store_explicit(&labels[number].state, LABELS_MADE, memory_order_release);
    return true;
}

int ccprof_labels_find(const char *name)
{
    size_t length = labels_length(name);

    for (unsigned i = 0; i < CCPROF_LABELS_MAX; i++) {
        int state = labels_state(i);
        if (state == LABELS_FREE && labels_make(i, name, length))
            return (int)i;
        if (labels_state(i) == LABELS_MADE &&
            strncmp(labels[i].name, name, length) == 0 && labels[i].name[length] == '\0')
            return (int)i;
    }
    return -1;
}

unsigned ccprof_labels_count(void)
{
    unsigned count = 0;
    while (count < CCPROF_LABELS_MAX && labels[count].state != LABELS_FREE)
        count++;
    return count;
}

const char *ccprof_labels_name(unsigned number)
{
    ccprof_assert(number < CCPROF_LABELS_MAX);
    return labels[number].state == LABELS_MADE ? labels[number].name : "?";
}
