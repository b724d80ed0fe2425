/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pages of serve that are not mlprof's: links and a form above mlprof's page, and the
   list of what pprof can ask for. */

#include "live/serve-inside.h"
#include "mlprof/base/encoding.h"

static const struct {
    unsigned from;
    const char *text;
} spans[] = {
    {60, "last minute"}, {300, "last 5 minutes"}, {3600, "last hour"}, {0, "whole run"}};

#define SPANS (sizeof spans / sizeof *spans)

static const char style[] =
    "<style>html,body{height:100%;margin:0}body{display:flex;flex-direction:column;"
    "font:14px sans-serif;color-scheme:light dark}nav{display:flex;flex-wrap:wrap;"
    "gap:.3em 1em;padding:.4em .8em;align-items:baseline}nav "
    "form{display:flex;flex-wrap:wrap;gap:.3em .8em;align-items:baseline}"
    "input[type=number]{width:5em}iframe{flex:1;border:0;border-top:1px solid gray}"
    "[aria-current]{font-weight:bold}</style>\n";

/* Prints the page until the beginning of its line of links. */
static void print_head(FILE *out, const struct serve *serve, unsigned refresh)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>",
          out);
    markup_print(out, serve->source.shown);
    fprintf(out, "</title>\n%s", style);
    if (refresh)
        fprintf(out, "<meta http-equiv=\"refresh\" content=\"%u\">\n", refresh);
    fputs("</head><body>\n<nav><b>", out);
    markup_print(out, serve->source.shown);
    fputs("</b>\n", out);
}

/* Prints the query of ROUTE's span. */
static void print_query(FILE *out, const struct route *route, bool compare)
{
    fprintf(out, "from=%u&amp;to=%u", route->from, route->to);
    if (compare)
        fputs("&amp;compare=1", out);
}

static void print_link(FILE *out, const struct route *route, bool current,
                       const char *text)
{
    fputs("<a href=\"/?", out);
    print_query(out, route, route->compare);
    if (route->refresh)
        fprintf(out, "&amp;refresh=%u", route->refresh);
    fprintf(out, "\"%s>%s</a>\n", current ? " aria-current=\"page\"" : "", text);
}

void serve_page_print(FILE *out, const struct serve *serve, const struct route *route)
{
    print_head(out, serve, route->refresh);
    for (size_t i = 0; i < SPANS; i++) {
        struct route span = *route;
        span.from = spans[i].from;
        span.to = 0;
        span.compare &= span.from != 0;
        print_link(out, &span, route->from == span.from && !route->to, spans[i].text);
    }
    if (route->from) {
        struct route other = *route;
        other.compare = !route->compare;
        print_link(out, &other, false,
                   route->compare ? "do not compare" : "compare with the time before");
    }
    fprintf(out,
            "<form action=\"/\"><label>from <input type=\"number\" name=\"from\" "
            "min=\"1\" max=\"86400\" value=\"%u\"></label> <label>to <input "
            "type=\"number\" name=\"to\" min=\"0\" max=\"86400\" value=\"%u\"></label> "
            "seconds ago <label><input type=\"checkbox\" name=\"compare\" "
            "value=\"1\"%s>compared</label> <label>reload every <input type=\"number\" "
            "name=\"refresh\" min=\"0\" max=\"86400\" value=\"%u\"> s</label> "
            "<button>show</button></form>\n"
            "<a href=\"/debug/pprof/\">pprof</a></nav>\n<iframe src=\"/report?",
            route->from ? route->from : spans[0].from, route->to,
            route->compare ? " checked" : "", route->refresh);
    print_query(out, route, route->compare);
    fputs("\"></iframe>\n</body></html>\n", out);
}

void serve_page_print_index(FILE *out, const struct serve *serve)
{
    static const struct {
        const char *query, *text;
    } links[] = {
        {"profile?seconds=0", "CPU time, the run so far"},
        {"profile?seconds=30", "CPU time, the next 30 seconds"},
        {"heap", "memory in use"},
        {"cmdline", "the command line"},
    };
    print_head(out, serve, 0);
    fputs("<a href=\"/?from=60&amp;to=0\">page</a></nav>\n<ul>\n", out);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        fprintf(out, "<li><a href=\"/debug/pprof/%s\">%s</a>: %s</li>\n", links[i].query,
                links[i].query, links[i].text);
    fprintf(out, "</ul>\n<p>go tool pprof \"%s/debug/pprof/profile?seconds=5%s\"</p>\n",
            serve->listener.url, serve->token ? "&amp;token=TOKEN" : "");
    fputs("</body></html>\n", out);
}
