/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: live/route.c mlprof.a */
/* Requests of ccprof-live serve: what they ask for, and which are refused. */

#include "live/route.h"
#include "testsuite/unit/tests.h"

#define TOKEN "0123456789abcdef"

static const struct {
    unsigned status;
    struct route_request request;
} requests[] = {
#define R(status, method, path, host, ...)                                               \
    {                                                                                    \
        status,                                                                          \
            {                                                                            \
                {[ROUTE_METHOD] = method,                                                \
                 [ROUTE_PATH] = path,                                                    \
                 [ROUTE_HOST] = host,                                                    \
                 __VA_ARGS__},                                                           \
            },                                                                           \
    }
#define T [ROUTE_TOKEN] = TOKEN
    R(200, "GET", "/", "localhost", T),
    R(200, "HEAD", "/", "LocalHost:80", T),
    R(200, "GET", "/report", "127.0.0.1:1234", [ROUTE_COOKIE] = TOKEN),
    R(200, "GET", "/debug/pprof/", "[::1]:80", [ROUTE_AUTHORIZATION] = "Bearer " TOKEN),
    R(200, "GET", "/debug/pprof/heap",
      "127.8.9.1", [ROUTE_AUTHORIZATION] = "bearer " TOKEN),
    R(405, "POST", "/", "localhost", T),
    R(405, "get", "/", "localhost", T),
    R(405, NULL, "/", "localhost", T),
    R(421, "GET", "/", NULL, T),
    R(421, "GET", "/", "example.com", T),
    R(421, "GET", "/", "localhost.example.com", T),
    R(421, "GET", "/", "127.0.0.1.example.com", T),
    R(421, "GET", "/", "localhost:80.example.com", T),
    R(421, "GET", "/", "[::1", T),
    R(421, "GET", "/", "[::1]example.com", T),
    R(421, "GET", "/", "[::2]", T),
    R(421, "GET", "/", "", T),
    R(401, "GET", "/", "localhost", [ROUTE_TOKEN] = ""),
    R(401, "GET", "/", "localhost", [ROUTE_TOKEN] = "0123456789abcdee"),
    R(401, "GET", "/", "localhost", [ROUTE_TOKEN] = "0123456789abcde"),
    R(401, "GET", "/", "localhost", [ROUTE_TOKEN] = TOKEN TOKEN),
    R(401, "GET", "/", "localhost", [ROUTE_AUTHORIZATION] = TOKEN),
    R(401, "GET", "/", "localhost", [ROUTE_AUTHORIZATION] = "Basic x" TOKEN),
    R(401, "GET", "/secret", "localhost", NULL),
    R(404, "GET", "/../etc/passwd", "localhost", T),
    R(404, "GET", "//", "localhost", T),
    R(404, "GET", NULL, "localhost", T),
    R(200, "GET", "/debug/pprof/profile", "localhost", T, [ROUTE_SECONDS] = "0"),
    R(200, "GET", "/debug/pprof/profile", "localhost", T, [ROUTE_SECONDS] = "300"),
    R(400, "GET", "/debug/pprof/profile", "localhost", T, [ROUTE_SECONDS] = "301"),
    R(400, "GET", "/debug/pprof/profile", "localhost", T, [ROUTE_SECONDS] = ""),
    R(400, "GET", "/debug/pprof/profile", "localhost", T, [ROUTE_SECONDS] = "-1"),
    R(400, "GET", "/debug/pprof/profile", "localhost", T, [ROUTE_SECONDS] = "1e1"),
    R(400, "GET", "/debug/pprof/profile", "localhost", T, [ROUTE_SECONDS] = "4294967297"),
    R(200, "GET", "/report", "localhost", T, [ROUTE_FROM] = "60", [ROUTE_TO] = "5"),
    R(400, "GET", "/report", "localhost", T, [ROUTE_FROM] = "60", [ROUTE_TO] = "60"),
    R(400, "GET", "/report", "localhost", T, [ROUTE_TO] = "5"),
    R(400, "GET", "/report", "localhost", T, [ROUTE_FROM] = "86401"),
    R(400, "GET", "/report", "localhost", T, [ROUTE_COMPARE] = "1"),
    R(400, "GET", "/report", "localhost", T, [ROUTE_FROM] = "6", [ROUTE_COMPARE] = "2"),
    R(400, "GET", "/", "localhost", T, [ROUTE_REFRESH] = "x"),
};

TEST_ROWS(statuses, requests)
{
    const struct route_rules rules = {.token = TOKEN, .loopback = true, .seconds = 300};
    struct route route;
    const char *why;
    unsigned status = route_find(&route, &requests[_i].request, &rules, &why);
    ck_assert_msg(status == requests[_i].status, "row %d: status %u, not %u", _i, status,
                  requests[_i].status);
    ck_assert((why == NULL) == (status == 200));
}

TEST(fields)
{
    const struct route_rules rules = {.seconds = 9};
    const struct route_request request = {{[ROUTE_METHOD] = "GET",
                                           [ROUTE_PATH] = "/report",
                                           [ROUTE_FROM] = "60",
                                           [ROUTE_TO] = "5",
                                           [ROUTE_COMPARE] = "1",
                                           [ROUTE_REFRESH] = "10",
                                           [ROUTE_SECONDS] = "7"}};
    struct route route;
    const char *why;
    ck_assert_uint_eq(route_find(&route, &request, &rules, &why), 200);
    ck_assert_int_eq(route.target, ROUTE_REPORT);
    ck_assert(route.compare && !route.head && !route.by_query);
    ck_assert_uint_eq(route.from, 60);
    ck_assert_uint_eq(route.to, 5);
    ck_assert_uint_eq(route.refresh, 10);
    ck_assert_uint_eq(route.seconds, 7);
}
