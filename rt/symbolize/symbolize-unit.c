/* SPDX-License-Identifier: MIT */
/* Finds a source or a source file in a unit.  Owns nothing.  Called by symbolize.c.  Each
   search reads the unit from its start, since searches are rare.  */

#include "rt/format.h"
#include "rt/unwind/unwind-bytes.h"
#include "rt/symbolize/symbolize.h"

/* Bytes of a file in a unit: its name and its hash.  */
#define FILE_SIZE (4 + CCPROF_HASH_SIZE)

/* The last string is known to end with NUL.  */
static const char *unit_string(const struct ccprof_pages *strings, uint64_t offset)
{
    return offset < strings->size ? (const char *)strings->at + offset : NULL;
}

bool ccprof_symbolize_unit(const struct ccprof_symbolizer *symbolizer, uint64_t offset,
                           struct ccprof_symbolize_unit *unit, unsigned *detail)
{
    const struct ccprof_pages *units = &symbolizer->units;
    struct ccprof_bytes bytes = {units->at, units->at + units->size, false};
    uint64_t length;
    unsigned version;

    ccprof_bytes_skip(&bytes, offset);
    length = ccprof_bytes_fixed(&bytes, 4);
    if (bytes.bad || length > (uint64_t)(bytes.end - bytes.at))
        return false;
    bytes.end = bytes.at + length;
    version = (unsigned)ccprof_bytes_fixed(&bytes, 1);
    *detail = (unsigned)ccprof_bytes_fixed(&bytes, 1);
    ccprof_bytes_skip(&bytes, 4);
    *unit = (struct ccprof_symbolize_unit){&symbolizer->strings, bytes.at, bytes.end};
    return !bytes.bad && version == CCPROF_UNIT_VERSION &&
           *detail <= CCPROF_POSITION_EXPRESSION;
}

bool ccprof_symbolize_source(const struct ccprof_symbolize_unit *unit, uint32_t number,
                             struct ccprof_symbolize_source *source)
{
    struct ccprof_bytes bytes = {unit->at, unit->end, false};
    uint64_t files = ccprof_bytes_unsigned_leb(&bytes), name = 0, file = 0, line = 0;

    if (files > (uint64_t)(bytes.end - bytes.at) / FILE_SIZE)
        return false;
    ccprof_bytes_skip(&bytes, FILE_SIZE * files);
    if (number > ccprof_bytes_unsigned_leb(&bytes))
        return false;
    for (uint32_t i = 0; i < number && !bytes.bad; i++) {
        name = ccprof_bytes_fixed(&bytes, 4);
        if (ccprof_bytes_unsigned_leb(&bytes) & CCPROF_SOURCE_SYMBOL)
            ccprof_bytes_skip(&bytes, 4);
        file = ccprof_bytes_unsigned_leb(&bytes);
        line = ccprof_bytes_unsigned_leb(&bytes);
        ccprof_bytes_unsigned_leb(&bytes); /* column */
    }
    source->name = unit_string(unit->strings, name);
    source->file = (uint32_t)file;
    source->line = (uint32_t)line;
    return number != 0 && !bytes.bad && source->name && file <= files &&
           line <= UINT32_MAX;
}

const char *ccprof_symbolize_file(const struct ccprof_symbolize_unit *unit,
                                  uint32_t number)
{
    struct ccprof_bytes bytes = {unit->at, unit->end, false};
    uint64_t files = ccprof_bytes_unsigned_leb(&bytes), name;

    if (number == 0 || number > files)
        return NULL;
    ccprof_bytes_skip(&bytes, FILE_SIZE * (uint64_t)(number - 1));
    name = ccprof_bytes_fixed(&bytes, 4);
    return bytes.bad ? NULL : unit_string(unit->strings, name);
}
