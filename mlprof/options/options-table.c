/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/options/options-inside.h"
#include "mlprof/view/allocs-table.h"
#include "mlprof/view/parallelview.h"
#include "mlprof/view/regions-table.h"
#include "mlprof/view/rows-table.h"

#include <stdlib.h>
#include <string.h>

#define FIELD(name)                                                                      \
    .offset = offsetof(struct options, name), .size = sizeof((struct options *)0)->name

static char *parse_pattern(void *field, const char *word)
{
    pattern_free(field);
    return pattern_set(field, word);
}

static void release_pattern(void *field)
{
    pattern_free(field);
}

static char *parse_patterns(void *field, const char *word)
{
    return patterns_add(field, word);
}

static void release_patterns(void *field)
{
    patterns_free(field);
}

static char *parse_source_dir(void *field, const char *word)
{
    source_paths_add_folder(field, word);
    return NULL;
}

static char *parse_source_map(void *field, const char *word)
{
    return source_paths_add_map(field, word);
}

static void release_sources(void *field)
{
    source_paths_free(field);
}

static char *parse_formula(void *field, const char *word)
{
    formula_free(field);
    return formula_read(field, word);
}

static void release_formula(void *field)
{
    formula_free(field);
}

static void release_divisions(void *field)
{
    struct options_divisions *divisions = field;
    free(divisions->division);
    divisions->division = NULL;
}

static char *parse_keep(void *field, const char *word)
{
    struct keep *keep = field;
    if (keep->count)
        return buf_copy("one is given already; (and ...) or (or ...) makes one of two");
    return keep_parse(keep, word);
}

static void release_keep(void *field)
{
    keep_free(field);
}

/* The views that options have an effect on.  */
#define COMPARISONS (OPTIONS_COMPARE | OPTIONS_GROWTH)
#define GATES       (OPTIONS_GATE | OPTIONS_BASELINE)

#define FORMAT(tells) ((tells) * (unsigned)OPTIONS_FORMATS)
#define STACKS        FORMAT(EXPORT_STACKS | EXPORT_FRAMES)
#define COVERAGE      FORMAT(EXPORT_COVERAGE)
#define EVERY_FORMAT  (STACKS | FORMAT(EXPORT_TABLES | EXPORT_ALLOCATED) | COVERAGE)

#define PAGE                                                                             \
    FORMAT(EXPORT_STACKS | EXPORT_TABLES | EXPORT_TEXTS | EXPORT_TITLE | EXPORT_COMPARED)

/* Views of what was measured.  */
#define PICTURES (OPTIONS_GRAPH | OPTIONS_FLAME)
#define REPORTS  (OPTIONS_PRINTED | PICTURES | EVERY_FORMAT)

/* Of the time of regions.  */
#define STOPWATCHES (OPTIONS_REGIONS | OPTIONS_HISTOGRAM)

/* Those that have no stacks of functions.  */
#define UNSTACKED (STOPWATCHES | OPTIONS_PARALLEL | COVERAGE)

/* Those that are by function.  */
#define TABLES                                                                           \
    (OPTIONS_TABLE | OPTIONS_CALLS | OPTIONS_LISTING | OPTIONS_PROF | OPTIONS_IMBALANCE)

/* What is by stacks, or can be told from them.  */
#define FILTERED ((REPORTS & ~(OPTIONS_SITES | UNSTACKED)) | COMPARISONS)

/* What changes nothing where it means nothing, so that it can stand in an alias.  */
#define EVERYTHING (REPORTS | OPTIONS_ALONE)

#define NAMED ((REPORTS & ~COVERAGE) | COMPARISONS | OPTIONS_GATE)

#define PATTERN                                                                          \
    .argument = "<re>", .form = OPTIONS_PARSED, .takes = "a regular expression",         \
    .parse = parse_pattern, .release = release_pattern

/* What is said of a pattern in each of its options.  */
#define PATTERN_DETAILS                                                                  \
    "<re> is an extended regular expression, and means the functions of which\n"         \
    "a beginning of `name  file: line' matches, as -show-line true shows them."

/* Of an option of pprof's, which may be given several times.  */
#define PATTERNS                                                                         \
    .argument = "<re>", .form = OPTIONS_PARSED, .takes = "a regular expression",         \
    .parse = parse_patterns, .release = release_patterns

#define PATTERNS_DETAILS                                                                 \
    "<re> is an extended regular expression, and means the functions in whose\n"         \
    "name or `name  file: line' it is found, as in pprof; ^ and $ are the ends.\n"       \
    "May be given several times. Percentages stay those of all samples."

static const struct options_entry own[] = {
    {.name = "allocs",
     .group = OPTIONS_IN_MEMORY,
     .use = 1,
     .argument = "{site|type|path}",
     .help = "list what was allocated, by one of these",
     .details =
         "By site, by type, or by the path that leads into libraries: each belongs\n"
         "to the innermost function that is none of theirs (-library). Needs a\n"
         "program compiled with profile=alloc.",
     .table = &allocs_table,
     .form = OPTIONS_CHOICE,
     .first = ALLOCVIEW_SITE,
     .is = OPTIONS_ALLOCS | OPTIONS_PATHS,
     .acts = OPTIONS_ALLOCS | OPTIONS_PATHS | FORMAT(EXPORT_PRINTED),
     FIELD(allocs)},
    {.name = "arcs",
     .group = OPTIONS_IN_CALLS,
     .use = 3,
     .help = "list whom each call in matching functions called",
     .details = "Each call site with its line, and how often it called whom; needs a\n"
                "program compiled with profile=count and blocks or targets.\n" //
     PATTERN_DETAILS,
     PATTERN,
     .is = OPTIONS_SITES,
     .acts = OPTIONS_SITES | FORMAT(EXPORT_PRINTED),
     FIELD(arcs)},
    {.name = "artificial",
     .group = OPTIONS_IN_TABLE,
     .use = 9,
     .argument = "{false|true}",
     .help = "show functions declared artificial: intrinsics",
     .details = "Otherwise what is inlined of them belongs to those that call them.",
     .form = OPTIONS_SWITCH,
     .acts = (REPORTS & ~UNSTACKED) | COMPARISONS | GATES | OPTIONS_WHERE,
     FIELD(artificial)},
    {.name = "balance",
     .group = OPTIONS_IN_DATA,
     .use = 5,
     .argument = "{true|false}",
     .help = "tell what was sampled and what was not",
     .details = "The lines below the table: how far it can be trusted.",
     .form = OPTIONS_SWITCH,
     .acts = OPTIONS_PRINTED | OPTIONS_PROGRAMS,
     FIELD(balance)},
    {.name = "branch",
     .group = OPTIONS_IN_TABLE,
     .use = 5,
     .argument = "{false|true}",
     .help = "show how often branches were taken",
     .details = "Each outcome has a row of its own; needs a program compiled with\n"
                "profile=count and blocks, or with branch.",
     .form = OPTIONS_SWITCH,
     .acts = OPTIONS_TABLE | OPTIONS_GRAPH | FORMAT(EXPORT_TABLES),
     FIELD(branch)},
    {.name = "by",
     .group = OPTIONS_IN_USED,
     .use = 5,
     .argument = "{function|copy|line|expression|loop|file|module|phase|thread|rank|mpi}",
     .help = "what the table's rows are of",
     .details =
         "copy: each occurrence of a function in machine code, with its size and\n"
         "what the compiler made of it. loop: with the time of an iteration; needs a\n"
         "program compiled with time,count and blocks. phase: see ccprof_label in\n"
         "ccprof(3). thread: run the program with CCPROF=threads=yes. rank: each\n"
         "process of MPI, which mpirun has numbered. mpi: each call of MPI, with its\n"
         "caller. With -regions copy alone, of functions with a stopwatch.",
     .table = &rows_table_groups,
     .form = OPTIONS_CHOICE,
     .acts = OPTIONS_TABLE | OPTIONS_GROUPS | STOPWATCHES | FORMAT(EXPORT_TABLES),
     FIELD(by)},
    {.name = "call-graph",
     .group = OPTIONS_IN_CALLS,
     .use = 2,
     .argument = "<file>",
     .help = "write the graph of calls, as dot or as .svg",
     .form = OPTIONS_OUTPUT,
     .is = OPTIONS_GRAPH,
     .acts = OPTIONS_GRAPH,
     FIELD(call_graph)},
    {.name = "callees",
     .group = OPTIONS_IN_USED,
     .use = 4,
     .help = "list whom matching functions called",
     .details = PATTERN_DETAILS,
     PATTERN,
     .is = OPTIONS_CALLS,
     .acts = OPTIONS_CALLS | FORMAT(EXPORT_PRINTED),
     FIELD(callees)},
    {.name = "callers",
     .group = OPTIONS_IN_USED,
     .use = 3,
     .help = "list who called matching functions",
     .details = PATTERN_DETAILS,
     PATTERN,
     .is = OPTIONS_CALLS,
     .acts = OPTIONS_CALLS | FORMAT(EXPORT_PRINTED),
     FIELD(callers)},
    {.name = "change",
     .group = OPTIONS_IN_COMPARING,
     .use = 2,
     .argument = "{seconds|share}",
     .help = "what changes of time are of, with -compare",
     .details =
         "Shares stay the same where a whole run is slower; seconds of one function\n"
         "where others change.",
     .form = OPTIONS_CHOICE,
     .acts = OPTIONS_COMPARE,
     FIELD(of_share),
     .against = "formula"},
    {.name = "compare",
     .group = OPTIONS_IN_USED,
     .use = 9,
     .help = "compare data files behind it with those before",
     .details =
         "mlprof a.out OLD ... -compare [b.out] NEW ...: one run a file; behind it\n"
         "another build of the program may stand, which the files are then of.",
     .form = OPTIONS_DIVISION,
     .is = OPTIONS_COMPARE,
     .acts = OPTIONS_COMPARE,
     FIELD(divisions),
     .release = release_divisions},
    {.name = "flame",
     .group = OPTIONS_IN_USED,
     .use = 8,
     .argument = "<file>",
     .help = "write the flame graph, a picture for a browser",
     .form = OPTIONS_OUTPUT,
     .is = OPTIONS_FLAME,
     .acts = OPTIONS_FLAME,
     FIELD(flame)},
    {.name = "focus",
     .group = OPTIONS_IN_USED,
     .use = 6,
     .help = "keep only stacks with a matching function",
     .details = PATTERNS_DETAILS,
     PATTERNS,
     .acts = FILTERED,
     .selects = true,
     .against = "branch",
     FIELD(filter.focus)},
    {.name = "formula",
     .group = OPTIONS_IN_COMPARING,
     .use = 3,
     .argument = "<formula>",
     .help = "order what is compared by a formula of a and b",
     .details =
         "With -compare: a and b are what a function has before and after, n(a) and\n"
         "n(b) the sizes of the inputs (-size); + - * / ^ ( ) log sqrt numbers.",
     .form = OPTIONS_PARSED,
     .takes = "a formula",
     .parse = parse_formula,
     .release = release_formula,
     .acts = OPTIONS_COMPARE,
     FIELD(formula)},
    {.name = "gate",
     .group = OPTIONS_IN_COMPARING,
     .use = 6,
     .argument = "<file>",
     .help = "compare exact counts with a baseline",
     .details = "Prints a line for each count that differs and ends with status 3 then.",
     .form = OPTIONS_TEXT,
     .is = OPTIONS_GATE,
     .acts = OPTIONS_GATE,
     FIELD(gate)},
    {.name = "gate-threshold",
     .group = OPTIONS_IN_COMPARING,
     .use = 8,
     .argument = "<x>",
     .help = "with -gate: counts may differ by x percent",
     .form = OPTIONS_NUMBER,
     .least = 0,
     .most = 1e6,
     .acts = OPTIONS_GATE,
     FIELD(gate_threshold)},
    {.name = "gate-write",
     .group = OPTIONS_IN_COMPARING,
     .use = 7,
     .argument = "<file>",
     .help = "write exact counts as a baseline for -gate",
     .details = "Needs a program compiled with profile=count, alloc, or both.",
     .form = OPTIONS_OUTPUT,
     .is = OPTIONS_BASELINE,
     .acts = OPTIONS_BASELINE,
     FIELD(gate_write)},
    {.name = "gcov-version",
     .group = OPTIONS_IN_OTHERS,
     .use = 1000,
     .argument = "{1|2}",
     .help = "version of gcov's JSON: 2 is that of GCC 14",
     .details = "lcov up to 1.16 reads 1, gcovr from 8 on reads 2.",
     .form = OPTIONS_CHOICE,
     .acts = FORMAT(EXPORT_VERSIONS),
     FIELD(gcov_version)},
    {.name = "graph-title",
     .group = OPTIONS_IN_LOOKS,
     .use = 7,
     .argument = "<string>",
     .help = "title of the call-stack graph or flame graph",
     .form = OPTIONS_TEXT,
     .acts = PICTURES | FORMAT(EXPORT_TITLE),
     FIELD(graph_title)},
    {.name = "gray",
     .group = OPTIONS_IN_LOOKS,
     .use = 6,
     .argument = "{false|true}",
     .help = "outline graph nodes in gray by their stack share",
     .details = "Black for all samples, white for none.",
     .form = OPTIONS_SWITCH,
     .acts = OPTIONS_GRAPH,
     FIELD(gray)},
    {.name = "growth",
     .group = OPTIONS_IN_COMPARING,
     .use = 4,
     .help = "tell how functions grow with the input's size",
     .details =
         "mlprof a.out -growth -size N FILE ... -size M FILE ...: the exponent k of\n"
         "n^k for each function, with its error.",
     .form = OPTIONS_FLAG,
     .is = OPTIONS_GROWTH,
     .acts = OPTIONS_GROWTH,
     FIELD(growth)},
    {.name = "help",
     .group = OPTIONS_IN_ITSELF,
     .use = 1,
     .help = "print this list",
     .details = "Behind or before an option it tells of this one: mlprof -sort -help.",
     .form = OPTIONS_HELP},
    {.name = "hide",
     .group = OPTIONS_IN_TABLE,
     .use = 3,
     .help = "take matching functions out of the stacks",
     .details = "What is theirs goes to the function around them.\n" PATTERNS_DETAILS,
     PATTERNS,
     .acts = FILTERED,
     .selects = true,
     .against = "branch",
     FIELD(filter.hide)},
    {.name = "histogram",
     .group = OPTIONS_IN_REGIONS,
     .use = 2,
     .help = "show how long calls of matching regions took",
     .details =
         "How many calls took how long, each line an eighth of a doubling or more.\n"
         "<re> is an extended regular expression, and means the regions in whose\n"
         "name it is found, as -regions shows them; ^ and $ are the ends. With\n"
         "-compare: before and after. With CCPROF=events=N in the run the longest\n"
         "calls stand below, with when and where they were.",
     PATTERN,
     .is = OPTIONS_HISTOGRAM,
     .acts = OPTIONS_HISTOGRAM | OPTIONS_COMPARE | FORMAT(EXPORT_PRINTED),
     FIELD(histogram)},
    {.name = "ignore",
     .group = OPTIONS_IN_TABLE,
     .use = 2,
     .help = "leave out stacks with a matching function",
     .details = PATTERNS_DETAILS,
     PATTERNS,
     .acts = FILTERED,
     .selects = true,
     .against = "branch",
     FIELD(filter.ignore)},
    {.name = "imbalance",
     .group = OPTIONS_IN_PROCESSES,
     .use = 1,
     .argument = "{rank|thread}",
     .help = "how evenly load is spread over these",
     .details =
         "mean, least and most time of a rank or thread, the most by the mean, and\n"
         "lost: the time by which the one with the most, named in the last column,\n"
         "exceeds the mean, which the others wait for if they meet. - where chance\n"
         "alone may have made it. Of functions themselves; with -sort stack of what\n"
         "they call, too. rank: each process of MPI, which mpirun has numbered.\n"
         "thread: run the program with CCPROF=threads=yes.",
     .form = OPTIONS_CHOICE,
     .first = SPREAD_RANKS,
     .is = OPTIONS_IMBALANCE,
     .acts = OPTIONS_IMBALANCE,
     FIELD(imbalance)},
    {.name = "keep",
     .group = OPTIONS_IN_TABLE,
     .use = 4,
     .argument = "<exp>",
     .help = "which functions the table and the graph show",
     .details =
         "MLton's: all, \"re\", (and e ...), (or e ...), (not e), (pred e), (succ e),\n"
         "(from e), (to e), (thresh x), (thresh-stack x), (thresh-gc x).",
     .form = OPTIONS_PARSED,
     .takes = "an expression",
     .parse = parse_keep,
     .release = release_keep,
     .against = "thresh",
     .acts = OPTIONS_TABLE | OPTIONS_GRAPH,
     .selects = true,
     FIELD(keep)},
    {.name = "layout",
     .group = OPTIONS_IN_LOOKS,
     .use = 5,
     .argument = "{ccprof|mlton}",
     .help = "print numbers first, or tables as MLton does",
     .details = "With ccprof names stand last, and shares have their 95 % interval.",
     .form = OPTIONS_CHOICE,
     .acts = EVERYTHING,
     FIELD(layout)},
    {.name = "library",
     .group = OPTIONS_IN_MEMORY,
     .use = 2,
     .argument = "<re>",
     .help = "source files of libraries, for -allocs path",
     .details = "In whose path <re>, an extended regular expression, is found; those in\n"
                "folders of system headers are always. May be given several times.",
     .form = OPTIONS_PARSED,
     .takes = "a regular expression",
     .parse = parse_patterns,
     .release = release_patterns,
     .acts = OPTIONS_PATHS,
     FIELD(libraries)},
    {.name = "list",
     .group = OPTIONS_IN_USED,
     .use = 2,
     .help = "list the source of matching functions",
     .details = "Line by line, with what was measured in each.\n" PATTERN_DETAILS,
     PATTERN,
     .is = OPTIONS_LISTING,
     .acts = OPTIONS_LISTING | FORMAT(EXPORT_PRINTED),
     FIELD(list)},
    {.name = "long-name",
     .group = OPTIONS_IN_LOOKS,
     .use = 4,
     .argument = "{true|false}",
     .help = "show long names of functions",
     .details = "With false only the last component: add for matrix::row::add.",
     .form = OPTIONS_SWITCH,
     .acts = NAMED | OPTIONS_WHERE,
     FIELD(names.long_name)},
    {.name = "measure",
     .group = OPTIONS_IN_COMPARING,
     .use = 1,
     .argument = "{main|time|stack|calls|bytes|blocks}",
     .help = "what to compare",
     .details = "main is time, or else bytes, or else calls.",
     .form = OPTIONS_CHOICE,
     .acts = COMPARISONS,
     FIELD(measure)},
    {.name = "merge-builds",
     .group = OPTIONS_IN_DATA,
     .use = 3,
     .argument = "{false|true}",
     .help = "add data of other builds of the program, too",
     .details =
         "mlprof -merge-builds true b.out a.out FILE ...: functions are matched by\n"
         "their linkage names and files, as with -compare, and stand where they are\n"
         "in the first; the other builds are found where they were, or are named\n"
         "behind it. Views of lines and machine code have no such sum.",
     .form = OPTIONS_SWITCH,
     .acts = OPTIONS_TABLE | OPTIONS_GROUPS | OPTIONS_CALLS | OPTIONS_PROF |
             OPTIONS_IMBALANCE | PICTURES | FORMAT(EXPORT_BUILDS),
     .selects = true,
     .against = "branch",
     FIELD(merge_builds)},
    {.name = "mlmon",
     .group = OPTIONS_IN_DATA,
     .use = 1,
     .argument = "<file>",
     .help = "process the mlmon.out files listed in <file>",
     .details = "Blanks or newlines stand between them. May be given several times. In\n"
                "comparisons it stands where the files that it lists would.",
     .form = OPTIONS_WORDS,
     .acts = REPORTS | COMPARISONS | GATES,
     FIELD(lists)},
    {.name = "names",
     .group = OPTIONS_IN_LOOKS,
     .use = 3,
     .argument = "{readable|plain|full}",
     .help = "shorten names of C++, or show all of them",
     .details =
         "readable: std::string for its long form, no default arguments, `...' for\n"
         "what is long; plain: as the compiler says it (with -layout mlton the\n"
         "default); full: with parameters.",
     .form = OPTIONS_CHOICE,
     .first = NAMES_READABLE,
     .acts = NAMED,
     FIELD(names.form)},
    {.name = "open",
     .group = OPTIONS_IN_LOOKS,
     .use = 8,
     .help = "show the page of -html in a browser",
     .details =
         "The one that $BROWSER names, or xdg-open's. Without -html the page is in\n"
         "a new file in $TMPDIR or /tmp, which stays.",
     .form = OPTIONS_FLAG,
     .is = PAGE,
     .acts = PAGE | COMPARISONS,
     FIELD(open)},
    {.name = "parallel",
     .group = OPTIONS_IN_PROCESSES,
     .use = 2,
     .help = "print what the threads of OpenMP did",
     .details =
         "Of each construct: its work, waiting in it and at its end, and the work of\n"
         "its threads. Run the program with CCPROF=clock=wall,threads=yes, or with\n"
         "threads=yes alone for the CPU time that each thread worked.",
     .table = &parallelview_table,
     .form = OPTIONS_FLAG,
     .is = OPTIONS_PARALLEL,
     .acts = OPTIONS_PARALLEL | FORMAT(EXPORT_PRINTED),
     FIELD(parallel)},
    {.name = "paths",
     .group = OPTIONS_IN_REGIONS,
     .use = 3,
     .argument = "{false|true}",
     .help = "tell regions apart by those around them",
     .details = "With -regions and -histogram: A > B is B inside of A.",
     .form = OPTIONS_SWITCH,
     .acts = STOPWATCHES | OPTIONS_COMPARE | FORMAT(EXPORT_TABLES),
     FIELD(paths)},
    {.name = "peek",
     .group = OPTIONS_IN_CALLS,
     .use = 1,
     .help = "list callers, function and callees in one table",
     .details =
         "Of each matching function, as pprof does.\n"
         "<re> is an extended regular expression, and means the functions in whose\n"
         "name or `name  file: line' it is found; ^ and $ are the ends.",
     PATTERN,
     .is = OPTIONS_CALLS,
     .acts = OPTIONS_CALLS,
     FIELD(peek)},
    {.name = "prof",
     .group = OPTIONS_IN_TABLE,
     .use = 10,
     .help = "print prof(1)'s table: time, calls, ms per call",
     .details = "Calls need a program compiled with profile=time,count.",
     .form = OPTIONS_FLAG,
     .is = OPTIONS_PROF,
     .acts = OPTIONS_PROF,
     FIELD(prof)},
    {.name = "raw",
     .group = OPTIONS_IN_LOOKS,
     .use = 1,
     .argument = "{false|true}",
     .help = "show seconds beside percentages",
     .form = OPTIONS_SWITCH,
     .acts = OPTIONS_TABLE | OPTIONS_GROUPS | OPTIONS_ALLOCS | OPTIONS_PATHS |
             OPTIONS_CALLS | OPTIONS_LISTING | OPTIONS_GRAPH,
     FIELD(raw)},
    {.name = "regions",
     .group = OPTIONS_IN_REGIONS,
     .use = 1,
     .help = "print the real time of regions",
     .details =
         "Of CCPROF_REGION in ccprof(3), and of functions that were compiled with\n"
         "stopwatch. +- is the standard deviation of the calls. With -compare: how\n"
         "the mean time of their calls changed.",
     .table = &regions_table,
     .form = OPTIONS_FLAG,
     .is = OPTIONS_REGIONS,
     .acts = OPTIONS_REGIONS | OPTIONS_COMPARE | FORMAT(EXPORT_PRINTED),
     FIELD(regions)},
    {.name = "show-extern",
     .group = OPTIONS_IN_TABLE,
     .use = 8,
     .argument = "{false|true}",
     .help = "show functions outside of profiled code",
     .details =
         "Otherwise their time is that of the nearest profiled function that called\n"
         "them.",
     .form = OPTIONS_SWITCH,
     .acts = TABLES | OPTIONS_GROUPS | OPTIONS_SITES | PICTURES | STACKS |
             FORMAT(EXPORT_TABLES) | COMPARISONS,
     FIELD(show_extern)},
    {.name = "show-line",
     .group = OPTIONS_IN_LOOKS,
     .use = 2,
     .argument = "{false|true}",
     .help = "show files and line numbers",
     .form = OPTIONS_SWITCH,
     .acts = OPTIONS_TABLE | OPTIONS_SITES | OPTIONS_CALLS | OPTIONS_PROF |
             OPTIONS_REGIONS | OPTIONS_IMBALANCE | PICTURES | COMPARISONS | OPTIONS_GATE,
     FIELD(names.show_line)},
    {.name = "size",
     .group = OPTIONS_IN_COMPARING,
     .use = 5,
     .argument = "<n>",
     .help = "size of the input of the data files behind it",
     .details = "For -growth and -formula.",
     .form = OPTIONS_DIVISION,
     .least = 1e-6,
     .most = 1e18,
     .acts = COMPARISONS,
     FIELD(divisions),
     .release = release_divisions},
    {.name = "skid",
     .group = OPTIONS_IN_DATA,
     .use = 4,
     .argument = "{true|false}",
     .help = "charge samples to the instruction that just ended",
     .details = "With false each sample is left where it came.",
     .form = OPTIONS_SWITCH,
     .acts = TABLES | OPTIONS_GROUPS | PICTURES | STACKS | FORMAT(EXPORT_TABLES) |
             COMPARISONS,
     FIELD(skid)},
    {.name = "sort",
     .group = OPTIONS_IN_USED,
     .use = 7,
     .argument = "{cur|stack|calls|percall|bytes|blocks|insns|code|change|name}",
     .help = "order tables by this column",
     .details =
         "The greatest first; name: from A to Z. calls: executed or iterations, and\n"
         "percall: their time, where these are the columns. insns and code: of -by\n"
         "copy. change: of -compare. Of -regions stack is total, percall is mean. A\n"
         "table that has no such column keeps its own order: by cur, -arcs by line,\n"
         "-imbalance by lost, -compare by what is certain.",
     .form = OPTIONS_CHOICE,
     .acts = OPTIONS_TABLE | OPTIONS_GROUPS | OPTIONS_ALLOCS | OPTIONS_PATHS |
             OPTIONS_SITES | OPTIONS_CALLS | OPTIONS_REGIONS | OPTIONS_IMBALANCE |
             OPTIONS_PARALLEL | OPTIONS_COMPARE,
     .against = "formula",
     FIELD(sort)},
    {.name = "source-dir",
     .group = OPTIONS_IN_SOURCE,
     .use = 1,
     .argument = "<dir>",
     .help = "look for source files in <dir>, too",
     .details = "Below as many of the last components of their paths as are there: the\n"
                "file compiled as /build/pkg/src/x.c may be <dir>/pkg/src/x.c or\n"
                "<dir>/x.c. May be given several times.",
     .form = OPTIONS_PARSED,
     .parse = parse_source_dir,
     .release = release_sources,
     .acts = OPTIONS_LISTING | FORMAT(EXPORT_TEXTS),
     FIELD(sources)},
    {.name = "source-map",
     .group = OPTIONS_IN_SOURCE,
     .use = 2,
     .argument = "<from=to>",
     .help = "look for source files below <from> in <to>",
     .details = "For programs that were compiled elsewhere, or with -ffile-prefix-map.\n"
                "May be given several times.",
     .form = OPTIONS_PARSED,
     .takes = "two folders, from=to",
     .parse = parse_source_map,
     .release = release_sources,
     .acts = OPTIONS_LISTING | FORMAT(EXPORT_TEXTS),
     FIELD(sources)},
    {.name = "source-text",
     .group = OPTIONS_IN_SOURCE,
     .use = 3,
     .argument = "{same|any}",
     .help = "show sources that are as compiled, or any",
     .details =
         "same: those whose MD5 is that of the tables, and those in the folders of\n"
         "-source-dir and -source-map. Whoever made the program can have named any\n"
         "file that you may read: ask for any of your own programs alone.",
     .form = OPTIONS_CHOICE,
     .acts = OPTIONS_LISTING | FORMAT(EXPORT_TEXTS),
     FIELD(sources.any)},
    {.name = "split",
     .group = OPTIONS_IN_TABLE,
     .use = 6,
     .help = "show each copy of matching functions for itself",
     .details =
         "A copy is a body of its own or one place at which the function is inlined.\n"
         "May be given several times.\n" PATTERN_DETAILS,
     PATTERNS,
     .acts = TABLES | PICTURES | FORMAT(EXPORT_STACKS | EXPORT_TABLES),
     FIELD(split)},
    {.name = "subtract",
     .group = OPTIONS_IN_REGIONS,
     .use = 4,
     .argument = "{true|false}",
     .help = "subtract what it cost to measure regions",
     .form = OPTIONS_SWITCH,
     .acts = STOPWATCHES | OPTIONS_COMPARE | FORMAT(EXPORT_TABLES),
     FIELD(subtract)},
    {.name = "thresh",
     .group = OPTIONS_IN_TABLE,
     .use = 1,
     .argument = "<x>",
     .help = "show functions of at least x percent, 0 to 100",
     .form = OPTIONS_NUMBER,
     .least = 0,
     .most = 100,
     .acts = (OPTIONS_PRINTED & ~OPTIONS_HISTOGRAM) | PICTURES | COMPARISONS |
             OPTIONS_PROGRAMS,
     FIELD(thresh)},
    {.name = "tolerant",
     .group = OPTIONS_IN_DATA,
     .use = 2,
     .argument = "{false|true}",
     .help = "report broken mlmon.out files and go on",
     .form = OPTIONS_SWITCH,
     .acts = REPORTS | COMPARISONS | GATES | OPTIONS_PROGRAMS,
     FIELD(tolerant)},
    {.name = "top",
     .group = OPTIONS_IN_USED,
     .use = 1,
     .argument = "<n>",
     .help = "show only the first <n> rows or boxes of a graph",
     .form = OPTIONS_NUMBER,
     .least = 1,
     .most = 1e9,
     .whole = true,
     .acts = (OPTIONS_PRINTED & ~OPTIONS_LISTING) | OPTIONS_GRAPH | COMPARISONS |
             OPTIONS_PROGRAMS,
     FIELD(top)},
    {.name = "unprofile",
     .group = OPTIONS_IN_TABLE,
     .use = 7,
     .help = "charge matching functions to their callers",
     .details = PATTERN_DETAILS,
     PATTERN,
     .acts = (REPORTS & ~UNSTACKED) | COMPARISONS | GATES | OPTIONS_WHERE,
     .selects = true,
     FIELD(unprofile)},
    {.name = "version",
     .group = OPTIONS_IN_ITSELF,
     .use = 2,
     .help = "print the version",
     .form = OPTIONS_VERSION},
    {.name = "where",
     .group = OPTIONS_IN_SOURCE,
     .use = 4,
     .help = "tell what is at addresses of an executable",
     .details = "mlprof -where FILE ADDRESS ...; without addresses they are read from\n"
                "standard input.",
     .form = OPTIONS_FLAG,
     .is = OPTIONS_WHERE,
     .acts = OPTIONS_WHERE,
     FIELD(where)},
};

#define OWN (sizeof own / sizeof *own)

struct options_entry options_table[OWN + EXPORT_MOST];
size_t options_count;

static int by_name(const void *one, const void *other)
{
    const struct options_entry *a = one, *b = other;
    return strcmp(a->name, b->name);
}

/* A format's file is kept at the format's number.  */
static struct options_entry format_entry(size_t number)
{
    const struct export_format *format = &export_formats[number];
    bool compared = format->tells & EXPORT_COMPARED;
    bool gated = format->tells & EXPORT_GATED;
    return (struct options_entry){
        .name = format->name,
        .group = strcmp(format->name, "html") ? OPTIONS_IN_OTHERS : OPTIONS_IN_USED,
        .use = 10 * (unsigned)(number + 1),
        .argument = "<file>",
        .help = format->help,
        .details = format->needs & EXPORT_BLOCKS
                       ? "Needs a program compiled with profile=count and blocks."
                       : NULL,
        .form = OPTIONS_OUTPUT,
        .is = FORMAT(format->tells),
        .acts = FORMAT(format->tells) | (compared ? COMPARISONS : 0) |
                (gated ? OPTIONS_GATE : 0),
        .offset = offsetof(struct options, exports.paths) + number * sizeof(const char *),
        .size = sizeof(const char *)};
}

void options_fill_table(void)
{
    memcpy(options_table, own, sizeof own);
    options_count = OWN;
    for (size_t i = 0; i < export_format_count; i++)
        options_table[options_count++] = format_entry(i);
    qsort(options_table, options_count, sizeof *options_table, by_name);
}
