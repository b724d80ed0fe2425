/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random requests of HTTP, for ccprof-live serve (targets.h). */

#include "live/route.h"
#include "testsuite/fuzz/targets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define TOKEN "0123456789abcdef"

/* Checks what a request may do. */
static bool check_route(const struct route_request *request,
                        const struct route_rules *rules)
{
    const char *const *fields = request->fields, *host = fields[ROUTE_HOST];
    struct route route;
    const char *why = "";
    unsigned status = route_find(&route, request, rules, &why);
    assert(status == 200 ? !why : status >= 400 && status < 500 && *why);
    if (status != 200)
        return false;
    assert(strcmp(fields[ROUTE_METHOD], route.head ? "HEAD" : "GET") == 0);
    assert(!rules->loopback || strncmp(host, "127.", 4) == 0 || host[0] == '[' ||
           strspn(host, "localhostLOCALHOST") == 9);
    if (rules->token) {
        const char *header = fields[ROUTE_AUTHORIZATION];
        const char *const given[] = {fields[ROUTE_TOKEN], fields[ROUTE_COOKIE],
                                     header && strlen(header) > 7 ? header + 7 : NULL};
        bool good = false;
        for (size_t i = 0; i < 3; i++)
            good |= given[i] && strcmp(given[i], rules->token) == 0;
        assert(good);
    }
    assert(route.seconds <= rules->seconds && route.to <= route.from &&
           route.from <= 86400 && route.refresh <= 86400);
    assert(!route.compare || route.from);
    return true;
}

bool targets_route(const unsigned char *bytes, size_t size)
{
    const struct route_rules rules = {.loopback = true, .seconds = 300},
                             with_token = {.token = TOKEN, .seconds = 300};
    struct route_request request = {0};
    /* In memory of its own size, so that a sanitizer sees a byte too many. */
    char *text = malloc(size + 1), *rest = text;
    memcpy(text, bytes, size);
    text[size] = '\0';
    for (size_t i = 0; rest && i < ROUTE_FIELDS; i++) {
        char *field = strsep(&rest, "\n");
        request.fields[i] = *field ? field : NULL;
    }
    bool good = check_route(&request, &rules);
    check_route(&request, &with_token);
    free(text);
    return good;
}
