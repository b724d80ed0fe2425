/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests of HTTP: their method, host, token, path and query. */

#include "live/route.h"
#include "mlprof/base/text.h"

#include <string.h>
#include <strings.h>

/* The longest span and interval that can be asked for, in seconds: a day. */
#define SPAN_MOST 86400

const char *const route_names[ROUTE_FIELDS] = {
    [ROUTE_TOKEN] = "token", [ROUTE_SECONDS] = "seconds", [ROUTE_FROM] = "from",
    [ROUTE_TO] = "to",       [ROUTE_COMPARE] = "compare", [ROUTE_REFRESH] = "refresh",
};

static const struct {
    const char *path;
    enum route_target target;
} paths[] = {
    {"/", ROUTE_PAGE},
    {"/report", ROUTE_REPORT},
    {"/debug/pprof", ROUTE_INDEX},
    {"/debug/pprof/", ROUTE_INDEX},
    {"/debug/pprof/profile", ROUTE_PROFILE},
    {"/debug/pprof/heap", ROUTE_HEAP},
    {"/debug/pprof/cmdline", ROUTE_CMDLINE},
};

/* Compares in a time that depends only on the length of GIVEN, so that nobody can find
   out TOKEN byte by byte. */
static bool is_token(const char *given, const char *token)
{
    size_t length = strlen(token);
    if (!given)
        return false;
    size_t size = strlen(given);
    unsigned char different = size != length;
    for (size_t i = 0; i < size; i++)
        different |= (unsigned char)(given[i] ^ token[length ? i % length : 0]);
    return !different;
}

static bool may(struct route *route, const struct route_request *request,
                const char *token)
{
    static const char scheme[] = "Bearer ";
    const char *header = request->fields[ROUTE_AUTHORIZATION];
    bool bearer = header && strncasecmp(header, scheme, strlen(scheme)) == 0;
    route->by_query = is_token(request->fields[ROUTE_TOKEN], token);
    return route->by_query || is_token(request->fields[ROUTE_COOKIE], token) ||
           (bearer && is_token(header + strlen(scheme), token));
}

/* Returns whether HOST is a loopback address or its usual name, with any port. A browser
   sends other names if a page of another site has its name resolved to this machine. */
static bool is_loopback(const char *host)
{
    if (!host)
        return false;
    size_t length = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
    if (length > strlen(host))
        return false;
    const char *port = host + length;
    if (*port && (*port != ':' || port[1 + strspn(port + 1, "0123456789")]))
        return false;
    return (length == 9 && strncasecmp(host, "localhost", 9) == 0) ||
           (length == 5 && memcmp(host, "[::1]", 5) == 0) ||
           (text_begins(host, "127.") && strspn(host, "0123456789.") == length);
}

/* Reads a whole number up to MOST. Without TEXT, *NUMBER stays. */
static bool read_number(unsigned *number, const char *text, unsigned most)
{
    if (!text)
        return true;
    unsigned value = 0;
    size_t digits = strspn(text, "0123456789");
    if (!digits || digits > 9 || text[digits])
        return false;
    for (size_t i = 0; i < digits; i++)
        value = 10 * value + (unsigned)(text[i] - '0');
    *number = value;
    return value <= most;
}

static unsigned read_query(struct route *route, const char *const *fields,
                           const struct route_rules *rules, const char **why)
{
    unsigned compare = 0;
    route->seconds = route->target == ROUTE_PROFILE ? rules->usual : 0;
    if (!read_number(&route->seconds, fields[ROUTE_SECONDS], rules->seconds))
        *why = "seconds: not a whole number, or more than the server permits";
    else if (!read_number(&route->from, fields[ROUTE_FROM], SPAN_MOST) ||
             !read_number(&route->to, fields[ROUTE_TO], SPAN_MOST) ||
             (route->to && route->to >= route->from))
        *why = "from, to: not whole numbers of seconds before now, the first one greater";
    else if (!read_number(&compare, fields[ROUTE_COMPARE], 1) ||
             (compare && !route->from))
        *why = "compare: neither 0 nor 1, or without from";
    else if (!read_number(&route->refresh, fields[ROUTE_REFRESH], SPAN_MOST))
        *why = "refresh: not a whole number of seconds";
    route->compare = compare;
    return *why ? 400 : 200;
}

unsigned route_find(struct route *route, const struct route_request *request,
                    const struct route_rules *rules, const char **why)
{
    const char *const *fields = request->fields;
    const char *method = fields[ROUTE_METHOD], *path = fields[ROUTE_PATH];
    *route = (struct route){.head = method && strcmp(method, "HEAD") == 0};
    *why = NULL;
    if (!method || (!route->head && strcmp(method, "GET") != 0)) {
        *why = "only GET and HEAD are permitted";
        return 405;
    }
    if (rules->loopback && !is_loopback(fields[ROUTE_HOST])) {
        *why = "the host is not a loopback address, nor localhost";
        return 421;
    }
    if (rules->token && !may(route, request, rules->token)) {
        *why = "the token is missing or wrong; ccprof-live has printed it, or it is in "
               "the file of -token-file";
        return 401;
    }
    for (size_t i = 0; path && i < sizeof paths / sizeof *paths; i++) {
        if (strcmp(path, paths[i].path) != 0)
            continue;
        route->target = paths[i].target;
        return read_query(route, fields, rules, why);
    }
    *why = "there is no such page";
    return 404;
}
