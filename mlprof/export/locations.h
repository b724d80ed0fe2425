/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the functions, locations and mappings of stacks, for samples.h. A location is
   an address with the functions inlined there. A mapping is a module in memory. */

#ifndef MLPROF_LOCATIONS_H
#define MLPROF_LOCATIONS_H

#include "mlprof/base/buf.h"
#include "mlprof/view/view.h"

#define LOCATIONS_NONE UINT32_MAX

/* A function. If a function has code from several files, for example macros or
   included files, each file counts as a separate function. */
struct locations_function {
    const char *name; /* name as in the table, in UTF-8 */
    /* The symbol; "": not known, or the function was not compiled with ccprof. */
    const char *symbol;
    const char *file; /* path of the file, in UTF-8; "": not known */
    uint32_t line;    /* start of the function; 0: not known, or in another file */
};

/* A module that has locations. */
struct locations_mapping {
    uint32_t id; /* 0: the module has no locations */
    uint64_t start, limit, offset;
    uint64_t base; /* add this to addresses in the file */
};

/* A line of a location. The lines of a location are a chain from the innermost to the
   outermost. */
struct locations_line {
    uint32_t outer; /* the line around it; LOCATIONS_NONE: it is the outermost */
    uint32_t function, line, column;
    uint32_t module; /* LOCATIONS_NONE: it is in no module */
    uint64_t address;
    /* The ID of the location with this line as its innermost line; 0: no ID assigned
       yet. */
    uint32_t location;
};

struct locations {
    const struct view *view;
    BUF_VECTOR(struct locations_function) functions;
    struct index function_index;        /* key: row, file */
    struct intern texts;                /* of the functions */
    struct locations_mapping *mappings; /* by module */
    uint32_t *modules;                  /* indexed by mapping ID minus 1 */
    uint32_t mapping_count;
    uint64_t end; /* end of all mappings so far */
    BUF_VECTOR(struct locations_line) lines;
    struct index line_index, place_index;
    uint32_t *innermost; /* indexed by location ID minus 1: the innermost line */
    size_t count, capacity;
    uint32_t *of_node; /* indexed by node of the stacks: its line, if it was put */
};

/* Initializes LOCATIONS without locations. locations_free frees it. */
void locations_open(struct locations *locations, const struct view *view);
void locations_free(struct locations *locations);

/* Returns the number of the function of a row, in the file with the path FILE; NULL: not
   known. Adds the function if it is new. */
uint32_t locations_function(struct locations *locations, uint32_t row, const char *file);

/* Adds a mapping for the module if it has none. The first mapping must be the
   program's, because pprof assumes that. */
void locations_map(struct locations *locations, uint32_t module);

/* Adds the line of a node of the stacks that is code. The nodes around it must be put
   first. */
void locations_put_node(struct locations *locations, uint32_t node);

/* Returns the ID of the location of a node that was put. Sets *OUTERMOST to the
   outermost node of the location. */
uint32_t locations_of_node(struct locations *locations, uint32_t node,
                           uint32_t *outermost);

/* Returns the ID of a location with the single LINE. */
uint32_t locations_of_line(struct locations *locations,
                           const struct locations_line *line);

/* Returns the name of FUNCTION for linkers. Returns "" if it is no function, because
   pprof would demangle the name. */
const char *locations_symbol(const struct locations_function *function);

/* Returns the address of a location. Returns 0 if it is not known, or if it is the
   counter of an allocation site instead of code. */
uint64_t locations_address(const struct locations *locations,
                           const struct locations_line *innermost);

#endif
