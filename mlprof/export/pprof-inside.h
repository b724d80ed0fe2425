/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the locations and mappings of pprof's format, for pprof.c, which encodes them:
   a location is an address with the functions inlined there, a mapping a module at an
   address.  */

#ifndef MLPROF_PPROF_INSIDE_H
#define MLPROF_PPROF_INSIDE_H

#include "mlprof/export/functions.h"

#define PPROF_NONE UINT32_MAX

/* A module in which locations are.  */
struct pprof_mapping {
    uint32_t id; /* 0: there are none */
    uint64_t start, limit, offset;
    uint64_t base; /* to be added to the addresses of its file */
};

/* A line of a location, in a chain that ends with the outermost one.  */
struct pprof_line {
    uint32_t outer; /* PPROF_NONE: it is the outermost */
    uint32_t function, line, column;
    uint32_t module; /* PPROF_NONE: of none */
    uint64_t address;
    uint32_t location; /* its id, if it is the innermost of one; 0: not yet */
};

struct pprof_locations {
    const struct view *view;
    struct functions functions;
    struct pprof_mapping *mappings; /* by module */
    uint32_t *modules;              /* that have a mapping, by its id less 1 */
    uint32_t mapping_count;
    uint64_t end; /* of the mappings there are */
    struct pprof_line *lines;
    size_t line_count, line_capacity;
    struct index line_index, place_index;
    uint32_t *innermost; /* the line of a location, by its id less 1 */
    size_t count, capacity;
    uint32_t *of_node; /* the line of a node of the stacks that was put */
};

/* Starts without a location; to be freed with pprof_locations_free.  */
void pprof_locations_open(struct pprof_locations *locations, const struct view *view);
void pprof_locations_free(struct pprof_locations *locations);

/* Gives the module a mapping, if it has none; the first one is taken for the program.  */
void pprof_locations_map(struct pprof_locations *locations, uint32_t module);

/* Makes the line of a node of the stacks that is code.  Those around it have theirs.  */
void pprof_locations_put_node(struct pprof_locations *locations, uint32_t node);

/* The id of the location of a node that was put, and in *OUTERMOST the outermost node
   that is in it.  */
uint32_t pprof_locations_of_node(struct pprof_locations *locations, uint32_t node,
                                 uint32_t *outermost);

/* The id of the location with LINE alone.  */
uint32_t pprof_locations_of_line(struct pprof_locations *locations,
                                 const struct pprof_line *line);

/* The address of a location; 0: it is none of code, but of an allocation site's counter,
   or is not known.  */
uint64_t pprof_locations_address(const struct pprof_locations *locations,
                                 const struct pprof_line *innermost);

#endif
