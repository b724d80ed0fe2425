/* SPDX-License-Identifier: MIT */
/* Finds the entry of a function in .eh_frame, with the sorted table in .eh_frame_hdr.
   Owns the address of an .eh_frame without a sorted table. Async-signal-safe. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <sys/auxv.h>

#include "rt/unwind/unwind-bytes.h"
#include "rt/unwind/unwind.h"

/* glibc has _dl_find_object since version 2.35. It takes no lock. */
#pragma weak _dl_find_object

/* The form of sorted table that all linkers write: pairs of 4-byte numbers, relative
   to the header. */
#define TABLES_SORTED (CCPROF_ENCODING_DATA | 0xb)

/* Assumed maximum size of the tables of a statically linked program, in bytes. */
#define TABLES_MOST ((uintptr_t)1 << 30)

/* The .eh_frame that the loader does not know, and its end. */
static _Atomic(const uint8_t *) frames, frames_end;

struct tables_pair {
    int32_t function, entry;
};

/* Returns the entry of the last function that begins at or before PC. */
static const uint8_t *tables_search(const uint8_t *header, const uint8_t *end,
                                    uint64_t pc)
{
    struct ccprof_bytes bytes = {header, end, false};
    unsigned version = (unsigned)ccprof_bytes_fixed(&bytes, 1);
    unsigned frame_encoding = (unsigned)ccprof_bytes_fixed(&bytes, 1);
    unsigned count_encoding = (unsigned)ccprof_bytes_fixed(&bytes, 1);
    unsigned table_encoding = (unsigned)ccprof_bytes_fixed(&bytes, 1);
    const struct tables_pair *pair;
    uint64_t low = 0, high;

    if (version != 1 || table_encoding != TABLES_SORTED)
        return NULL;
    ccprof_bytes_pointer(&bytes, frame_encoding, (uintptr_t)header);
    high = ccprof_bytes_pointer(&bytes, count_encoding, (uintptr_t)header);
    if (bytes.bad || high > (uint64_t)(end - bytes.next) / sizeof *pair)
        return NULL;
    pair = (const void *)bytes.next;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if ((uintptr_t)header + (uint64_t)pair[middle].function <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : header + pair[low - 1].entry;
}

/* Sets BODY to the entry's bytes after its length. */
static bool tables_entry(const uint8_t *entry, const uint8_t *low, const uint8_t *end,
                         struct ccprof_bytes *body)
{
    struct ccprof_bytes bytes = {entry, end, false};
    uint64_t length;

    if (entry < low || entry >= end)
        return false;
    length = ccprof_bytes_fixed(&bytes, 4);
    if (bytes.bad || length == 0 || length > (uint64_t)(end - bytes.next))
        return false;
    body->next = bytes.next;
    body->end = bytes.next + length;
    body->bad = false;
    return true;
}

/* Reads the data that the letters of the augmentation announce. Returns false if a
   letter is unknown. */
static bool tables_augmentation(const char *letter, struct ccprof_bytes *bytes,
                                struct ccprof_unwind_function *function,
                                unsigned *encoding)
{
    uint64_t length;
    const uint8_t *start;

    if (*letter == '\0')
        return true;
    if (*letter++ != 'z')
        return false;
    length = ccprof_bytes_unsigned_leb(bytes);
    start = bytes->next;
    for (; *letter; letter++) {
        if (*letter == 'R')
            *encoding = (unsigned)ccprof_bytes_fixed(bytes, 1);
        else if (*letter == 'L')
            ccprof_bytes_skip(bytes, 1);
        else if (*letter == 'P')
            ccprof_bytes_pointer(bytes, (unsigned)ccprof_bytes_fixed(bytes, 1), 0);
        else if (*letter == 'S')
            function->is_signal = true;
        else if (*letter != 'B')
            return false;
    }
    bytes->next = start;
    ccprof_bytes_skip(bytes, length);
    return !bytes->bad;
}

/* Reads a common information entry (CIE). */
static bool tables_common(struct ccprof_bytes bytes,
                          struct ccprof_unwind_function *function, unsigned *encoding,
                          bool *augmented)
{
    uint64_t id = ccprof_bytes_fixed(&bytes, 4);
    uint64_t version = ccprof_bytes_fixed(&bytes, 1);
    const char *letters = (const char *)bytes.next;

    if (id != 0 || (version != 1 && version != 3))
        return false;
    while (ccprof_bytes_fixed(&bytes, 1) != 0)
        continue;
    function->code_align = ccprof_bytes_unsigned_leb(&bytes);
    function->data_align = ccprof_bytes_signed_leb(&bytes);
    function->return_register =
        (unsigned)(version == 1 ? ccprof_bytes_fixed(&bytes, 1)
                                : ccprof_bytes_unsigned_leb(&bytes));
    *augmented = *letters == 'z';
    if (bytes.bad || !tables_augmentation(letters, &bytes, function, encoding))
        return false;
    function->common = bytes.next;
    function->common_end = bytes.end;
    return function->return_register < CCPROF_CPU_REGISTERS;
}

static bool tables_function(const uint8_t *entry, const uint8_t *low, const uint8_t *end,
                            uint64_t pc, struct ccprof_unwind_function *function)
{
    struct ccprof_bytes bytes, common;
    const uint8_t *place;
    unsigned encoding = 0;
    bool augmented = false;
    uint64_t length;

    if (!tables_entry(entry, low, end, &bytes))
        return false;
    place = bytes.next;
    uint64_t back = ccprof_bytes_fixed(&bytes, 4);
    if (back > (uint64_t)(place - low) ||
        !tables_entry(place - back, low, end, &common) ||
        !tables_common(common, function, &encoding, &augmented))
        return false;
    function->start = ccprof_bytes_pointer(&bytes, encoding, 0);
    length = ccprof_bytes_pointer(&bytes, encoding & CCPROF_ENCODING_FORM, 0);
    if (augmented)
        ccprof_bytes_skip(&bytes, ccprof_bytes_unsigned_leb(&bytes));
    function->specific = bytes.next;
    function->specific_end = bytes.end;
    return !bytes.bad && pc - function->start < length;
}

/* Searches all entries in order. */
static bool tables_scan(uint64_t pc, struct ccprof_unwind_function *function)
{
    const uint8_t *low = atomic_load(&frames), *end = atomic_load(&frames_end);
    struct ccprof_bytes body;

    for (const uint8_t *entry = low; entry && tables_entry(entry, low, end, &body);
         entry = body.end) {
        memset(function, 0, sizeof *function);
        if (tables_function(entry, low, end, pc, function))
            return true;
    }
    return false;
}

void ccprof_unwind_add(const uint8_t *start, const uint8_t *end)
{
    atomic_store(&frames_end, end);
    atomic_store(&frames, start);
}

/* getauxval takes no lock: it reads data of the loader. */
bool ccprof_unwind_is_loader(uint64_t pc)
{
    struct dl_find_object object;

    return _dl_find_object && _dl_find_object((void *)pc, &object) == 0 &&
           (uintptr_t)object.dlfo_map_start == getauxval(AT_BASE);
}

bool ccprof_unwind_find(uint64_t pc, struct ccprof_unwind_function *function)
{
    struct dl_find_object object;

    if (!_dl_find_object || _dl_find_object((void *)pc, &object) != 0 ||
        !object.dlfo_eh_frame)
        return tables_scan(pc, function);
    const uint8_t *header = object.dlfo_eh_frame;
    const uint8_t *low = object.dlfo_map_start, *end = object.dlfo_map_end;
    /* In a statically linked program, only the segment with the code is known. */
    if (header >= end)
        end = (const uint8_t *)((uintptr_t)header + TABLES_MOST);
    if (header < low)
        return false;
    const uint8_t *entry = tables_search(header, end, pc);
    memset(function, 0, sizeof *function);
    return entry && tables_function(entry, low, end, pc, function);
}
