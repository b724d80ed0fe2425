/* SPDX-License-Identifier: MIT */
/* Owns the names of phases.  A name never changes once it is there, so that it is read
   without a lock.  */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "rt/table/labels.h"
#include "rt/os/assert.h"
#include "rt/os/sys.h"

enum labels_state { LABELS_FREE, LABELS_BEING_MADE, LABELS_MADE };

/* How often one waits for the thread that is making a label; it may have been lost in a
   fork.  */
#define LABELS_PATIENCE 1000

/* Bytes of a character, at most.  */
#define LABELS_UTF8 4

static struct {
    _Atomic int state;
    const char *name;
} labels[CCPROF_LABELS_MAX];

static struct {
    _Atomic bool used;
    char name[CCPROF_LABELS_NAME];
} copies[CCPROF_LABELS_PHASES];

/* Where a name is cut off: not within a character of UTF-8, if it is any.  */
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

static int labels_state(unsigned number)
{
    for (int i = 0; i < LABELS_PATIENCE; i++) {
        int state = atomic_load_explicit(&labels[number].state, memory_order_acquire);
        if (state != LABELS_BEING_MADE)
            return state;
        ccprof_sys_yield();
    }
    return LABELS_BEING_MADE;
}

/* The number of a copy of NAME, less than 0: there is no room.  */
static int labels_copy(const char *name, size_t length)
{
    for (int i = 0; i < CCPROF_LABELS_PHASES; i++)
        if (!atomic_exchange(&copies[i].used, true)) {
            memcpy(copies[i].name, name, length);
            copies[i].name[length] = '\0';
            return i;
        }
    return -1;
}

/* Returns whether the place was free.  */
static bool labels_make(unsigned number, const char *name)
{
    int state = LABELS_FREE;
    if (!atomic_compare_exchange_strong(&labels[number].state, &state, LABELS_BEING_MADE))
        return false;
    labels[number].name = name;
    atomic_store_explicit(&labels[number].state, LABELS_MADE, memory_order_release);
    return true;
}

/* The number of the first bytes of NAME; less than 0: it has none.  If it is free, *FREE
   is where it would be.  */
static int labels_search(const char *name, size_t length, unsigned *free)
{
    for (unsigned i = 0; i < CCPROF_LABELS_MAX; i++) {
        int state = labels_state(i);
        *free = i;
        if (state == LABELS_FREE)
            return -1;
        if (state == LABELS_MADE && strncmp(labels[i].name, name, length) == 0 &&
            labels[i].name[length] == '\0')
            return (int)i;
    }
    *free = CCPROF_LABELS_MAX;
    return -1;
}

int ccprof_labels_keep(const char *name)
{
    for (;;) {
        unsigned free;
        int number = labels_search(name, strlen(name), &free);
        if (number >= 0 || free == CCPROF_LABELS_MAX)
            return number;
        if (labels_make(free, name))
            return (int)free;
    }
}

int ccprof_labels_find(const char *name)
{
    size_t length = labels_length(name);
    unsigned free;
    int number = labels_search(name, length, &free);

    if (number >= 0)
        return number;
    int copy = labels_copy(name, length);
    if (copy < 0)
        return -1;
    number = ccprof_labels_keep(copies[copy].name);
    /* Another thread was there first, or there is no room.  */
    if (number < 0 || labels[number].name != copies[copy].name)
        atomic_store(&copies[copy].used, false);
    return number;
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
