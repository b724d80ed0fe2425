/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides what a request of HTTP asks for, and whether it may. Knows nothing of sockets:
   a request is a few texts, which may be hostile. No text of a request names a file. */

#ifndef LIVE_ROUTE_H
#define LIVE_ROUTE_H

#include <stdbool.h>
#include <stddef.h>

/* The fields of a request that matter. */
enum route_field {
    ROUTE_METHOD,
    ROUTE_PATH,
    ROUTE_HOST,
    ROUTE_AUTHORIZATION,
    ROUTE_COOKIE, /* the value of the cookie of the page */
    ROUTE_TOKEN,  /* this one and the next ones: of the query */
    ROUTE_SECONDS,
    ROUTE_FROM,
    ROUTE_TO,
    ROUTE_COMPARE,
    ROUTE_REFRESH,
    ROUTE_FIELDS
};

/* The names of the fields of the query, indexed by field; NULL: no field of it. */
extern const char *const route_names[ROUTE_FIELDS];

/* A request; fields that it lacks are NULL. */
struct route_request {
    const char *fields[ROUTE_FIELDS];
};

struct route_rules {
    const char *token; /* NULL: none is needed */
    bool loopback;     /* the host must be a name of this machine's loopback */
    unsigned usual;    /* the time to measure for a profile without `seconds' */
    unsigned seconds;  /* the longest one */
};

enum route_target {
    ROUTE_PAGE,    /* the frame of the page, with its links */
    ROUTE_REPORT,  /* mlprof's page */
    ROUTE_INDEX,   /* /debug/pprof/ */
    ROUTE_PROFILE, /* pprof's format */
    ROUTE_HEAP,
    ROUTE_CMDLINE
};

struct route {
    enum route_target target;
    bool head;         /* the body is not wanted */
    bool by_query;     /* the token was in the query */
    unsigned seconds;  /* to measure */
    unsigned from, to; /* the span, in seconds before now; FROM is 0: the whole run */
    bool compare;      /* with the span before */
    unsigned refresh;  /* seconds; 0: never */
};

/* Fills ROUTE. Returns the status 200, or one of an error and sets *WHY to its text. */
unsigned route_find(struct route *route, const struct route_request *request,
                    const struct route_rules *rules, const char **why);

#endif
