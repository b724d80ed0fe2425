/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the locations and mappings of pprof's format, for pprof.c, which encodes them.
   A location is an address with the functions inlined there; a mapping is a module in
   memory.  */

#ifndef MLPROF_PPROF_INSIDE_H
#define MLPROF_PPROF_INSIDE_H

#include "mlprof/export/content.h"

#define PPROF_NONE UINT32_MAX

/* A module that has locations.  */
struct pprof_mapping {
    uint32_t id; /* 0: the module has no locations */
    uint64_t start, limit, offset;
    uint64_t base; /* what is to be added to addresses as in the file */
};

/* A line of a location.  Lines form a chain that ends with the outermost.  */
struct pprof_line {
    uint32_t outer; /* the line around it; PPROF_NONE: it is the outermost */
    uint32_t function, line, column;
    uint32_t module; /* PPROF_NONE: it is in no module */
    uint64_t address;
    /* If it is the innermost line of a location, the location's id; 0: not yet.  */
    uint32_t location;
};

struct pprof_locations {
    const struct view *view;
    struct functions functions;
    struct pprof_mapping *mappings; /* by module */
    uint32_t *modules;              /* by id of the mapping less 1 */
    uint32_t mapping_count;
    uint64_t end; /* the end of all mappings so far */
    struct pprof_line *lines;
    size_t line_count, line_capacity;
    struct index line_index, place_index;
    uint32_t *innermost; /* by id of the location less 1: its innermost line */
    size_t count, capacity;
    uint32_t *of_node; /* by node of the stacks: its line, if it was put */
};

/* Starts without locations; to be freed with pprof_locations_free.  */
void pprof_locations_open(struct pprof_locations *locations, const struct view *view);
void pprof_locations_free(struct pprof_locations *locations);

/* Gives the module a mapping if it has none.  The first mapping is the program's, as
   pprof assumes.  */
void pprof_locations_map(struct pprof_locations *locations, uint32_t module);

/* Makes the line of a node of the stacks that is code.  To be called for the nodes around
   it first.  */
void pprof_locations_put_node(struct pprof_locations *locations, uint32_t node);

/* The id of the location of a node that was put.  *OUTERMOST is set to the outermost node
   in it.  */
uint32_t pprof_locations_of_node(struct pprof_locations *locations, uint32_t node,
                                 uint32_t *outermost);

/* The id of a location of LINE alone.  */
uint32_t pprof_locations_of_line(struct pprof_locations *locations,
                                 const struct pprof_line *line);

/* The address of a location; 0 if it is unknown, or if it is the counter of an allocation
   site and not code.  */
uint64_t pprof_locations_address(const struct pprof_locations *locations,
                                 const struct pprof_line *innermost);

#endif
