/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of all options, in alphabetical order, with the functions that parse their
   arguments. Add an option here. */

#include "mlprof/base/buf.h"
#include "mlprof/compare/changes-table.h"
#include "mlprof/compare/gate.h"
#include "mlprof/compare/growth.h"
#include "mlprof/compare/regionchange.h"
#include "mlprof/options/options-inside.h"
#include "mlprof/view/rows-table.h"
#include "mlprof/view/views.h"
#include "rt/format.h"

#include <stdlib.h>
#include <string.h>

/* The largest number of a process (proc(5), pid_max). */
#define PID_MOST 4194304

#define FIELD(name)                                                                      \
    .offset = offsetof(struct options, name), .size = sizeof((struct options *)0)->name

static char *parse_pattern(void *field, const char *word)
{
    return pattern_set(field, word);
}

static char *parse_patterns(void *field, const char *word)
{
    return patterns_add(field, word);
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

static char *parse_weight(void *field, const char *word)
{
    return weights_put(field, word);
}

static char *parse_range(void *field, const char *word)
{
    return heapranges_read(field, word);
}

/* Adds the measures of WORDS, which are separated by commas. Returns false if one of them
   is not a measure of instructions. */
static bool parse_beside(struct options_measure *requested, const char *words)
{
    BUF_OWN char *list = buf_copy(words);
    char *rest = list, *word;
    bool good = requested->measure && requested->measure->weigh;
    while (good && (word = strsep(&rest, ","))) {
        const struct measure *measure = measure_of_word(word, false);
        good = measure && measure->weigh;
        if (good && measure != requested->measure)
            requested->beside |= 1U << (measure - measure_of_event(0));
    }
    return good;
}

/* For an unknown word, returns an empty reason, because the message lists the words. */
static char *parse_measure(void *field, const char *words)
{
    struct options_measure *requested = field;
    const char *comma = strchr(words, ',');
    BUF_OWN char *word =
        buf_copy_prefix(words, comma ? (size_t)(comma - words) : strlen(words));
    bool total = strcmp(word, "total") == 0 || strcmp(word, "stack") == 0;
    *requested = (struct options_measure){.measure = measure_of_word(word, false)};
    if (requested->measure && strcmp(word, requested->measure->word) != 0)
        requested->column = VIEW_BLOCKS;
    if (total)
        requested->column = VIEW_STACK;
    if (comma && !parse_beside(requested, comma + 1))
        return buf_copy(
            ": only instructions, loads and the words after it up to vector512 "
            "can stand side by side");
    return requested->measure || total || strcmp(word, "main") == 0 ? NULL : buf_copy("");
}

static char *parse_heap(void *field, const char *word)
{
    const struct measure *measure = measure_of_word(word, true);
    *(unsigned *)field = measure ? (unsigned)(measure - measure_all) : 0;
    return measure ? NULL : buf_copy("");
}

static char *parse_formula(void *field, const char *word)
{
    formula_free(field);
    return formula_read(field, word);
}

static char *parse_keep(void *field, const char *word)
{
    struct keep *keep = field;
    if (keep->count)
        return buf_copy("one is given already; (and ...) or (or ...) makes one of two");
    return keep_parse(keep, word);
}

#define PATTERN                                                                          \
    .argument = "<re>", .form = OPTIONS_PARSED, .takes = "a regular expression",         \
    .parse = parse_pattern

/* For options that can be given several times. */
#define PATTERNS                                                                         \
    .argument = "<re>", .form = OPTIONS_PARSED, .takes = "a regular expression",         \
    .parse = parse_patterns

#define PATTERNS_DETAILS                                                                 \
    VIEWS_PATTERN_DETAILS                                                                \
    "\nMay be given several times. Percentages stay those of all samples."

static const struct options_entry entries[] = {
    {.name = "artificial",
     .topic = TOPIC_TABLE,
     .use = 9,
     .help = "show functions declared artificial: intrinsics",
     .details =
         "Intrinsics of a processor have this attribute, for example. Otherwise, code\n"
         "inlined from them belongs to their callers.",
     .form = OPTIONS_TOGGLE,
     .affects = OUTPUTS_FUNCTIONS,
     FIELD(artificial)},
    {.name = "asm",
     .topic = TOPIC_SOURCE,
     .use = 5,
     .help = "with -list: show the instructions, too",
     .details =
         "For x86-64. Instructions are below the line that they belong to, with their\n"
         "measured values. The hottest part of the code comes first, and code without\n"
         "measured instructions is left out. If a matching function is inlined into\n"
         "another one, only its own instructions are shown.",
     .form = OPTIONS_FLAG,
     .affects = OUTPUTS_LINES,
     .against = "branch split",
     FIELD(assembly)},
    {.name = "balance",
     .topic = TOPIC_DATA,
     .use = 12,
     .argument = "{brief|true|false}",
     .help = "print how far you can trust the table",
     .details = "The lines are below the table. brief prints one line, or all lines if\n"
                "figures may be wrong.",
     .form = OPTIONS_CHOICE,
     .affects = OUTPUTS_ROWS | OUTPUTS_WAITS | OUTPUTS_LINES | OUTPUTS_HISTOGRAMS |
                OUTPUTS_COMPARISON | OUTPUTS_PROGRAMS,
     FIELD(balance)},
    {.name = "branch",
     .topic = TOPIC_TABLE,
     .use = 5,
     .help = "show how often branches were taken",
     .details =
         "Each outcome of a branch gets its own row. With -list, it gets a line below\n"
         "its condition. Needs a program compiled with profile=count and blocks, or\n"
         "with branch.",
     .form = OPTIONS_TOGGLE,
     .affects = OUTPUTS_TABLE | OUTPUTS_LINES | OUTPUTS_PAGE | OUTPUTS_TABLE_FILES |
                OUTPUTS_GRAPH,
     FIELD(branch)},
    {.name = "by",
     .topic = TOPIC_USED,
     .use = 5,
     .help = "what each row is: a function, a line, a file ...",
     .details =
         "  copy    each copy of a function in the machine code, with its size and\n"
         "          what the compiler did with it\n"
         "  loop    with the time of an iteration; needs a program compiled with\n"
         "          profile=time,count and blocks\n"
         "  phase   see ccprof_label in ccprof(3)\n"
         "  thread  run the program with CCPROF=threads=yes; trees and graphs then\n"
         "          have a tower for each thread, which are merged otherwise\n"
         "  process each process, by PID and name; by name if there are more than 8;\n"
         "          -focus '\\[process .* NAME' selects processes\n"
         "  parallelism\n"
         "          how many threads ran, of a run with CCPROF=wait=yes\n"
         "  rank    each MPI process, by the number that mpirun gave it\n"
         "  mpi     each call of MPI, with its caller\n"
         "  type    each type of allocated blocks\n"
         "  site    each call that allocates, with the type\n"
         "  path    each line of the program that called into a library (-library) or\n"
         "          an allocator\n"
         "  reason  why threads waited; for this and lock, run the program with\n"
         "          CCPROF=wait=yes\n"
         "  lock    the lock, condition or file that threads waited for\n"
         "type, site and path show the bytes that a program compiled with\n"
         "profile=alloc allocated, or a measure of -heap.\n"
         "These views accept only some of the words:\n"
         "  -regions, -histogram  copy, for functions with a stopwatch\n"
         "  -compare, -growth     line, file, type, site, path, and expression if all\n"
         "                        runs have the same build\n"
         "  -heap                 copy, line, expression, file, module, phase,\n"
         "                        thread, type, site, path",
     .tables = {&rows_table_groups},
     .form = OPTIONS_CHOICE,
     .affects = OUTPUTS_TABLE | OUTPUTS_GROUPS | OUTPUTS_HEAP | OUTPUTS_REGIONS |
                OUTPUTS_HISTOGRAMS | OUTPUTS_PAGE | OUTPUTS_TABLE_FILES |
                OUTPUTS_COMPARISONS,
     FIELD(rows_key)},
    {.name = "call-graph",
     .topic = TOPIC_CALLS,
     .use = 2,
     .argument = "<file>",
     .help = "write the call graph, as dot or as .svg",
     .form = OPTIONS_OUTPUT,
     .kind = OUTPUTS_GRAPH,
     .shows = OPTIONS_WRITTEN,
     FIELD(call_graph)},
    {.name = "change",
     .topic = TOPIC_COMPARING,
     .use = 2,
     .argument = "{seconds|share}",
     .help = "with -compare: compare seconds or shares",
     .details =
         "Shares stay the same if a whole run is slower. Seconds of a function stay\n"
         "the same if only other functions change.",
     .form = OPTIONS_CHOICE,
     .affects = OUTPUTS_COMPARISON,
     FIELD(of_share),
     .against = "formula"},
    {.name = "compare",
     .topic = TOPIC_USED,
     .use = 9,
     .help = "compare files after this option with those before",
     .details =
         "mlprof a.out OLD ... -compare [b.out] NEW ...: each file is one run. If the\n"
         "new files are from another build of the program, name that build directly\n"
         "after -compare.",
     .tables = {&changes_table, &regionchanges_columns},
     .form = OPTIONS_DIVISION,
     .kind = OUTPUTS_COMPARISON,
     .shows = OPTIONS_ALONE,
     FIELD(divisions)},
    {.name = "flame",
     .topic = TOPIC_USED,
     .use = 8,
     .argument = "<file>",
     .help = "write a flame graph, a picture for a browser",
     .form = OPTIONS_OUTPUT,
     .kind = OUTPUTS_FLAME,
     .shows = OPTIONS_WRITTEN,
     FIELD(flame)},
    {.name = "focus",
     .topic = TOPIC_USED,
     .use = 6,
     .help = "keep only stacks with a matching function",
     .details = PATTERNS_DETAILS,
     PATTERNS,
     .affects = OUTPUTS_STACKS,
     .selects = true,
     .against = "branch",
     FIELD(filter.focus)},
    {.name = "formula",
     .topic = TOPIC_COMPARING,
     .use = 3,
     .argument = "<formula>",
     .help = "sort the comparison by a formula of a and b",
     .details =
         "With -compare: a and b are the values of a function before and after. n(a)\n"
         "and n(b) are the sizes of the inputs (-size). A formula can contain\n"
         "numbers, + - * / ^ ( ), log, sqrt, abs, max and min of several values, and\n"
         "the comparisons < <= > >= == !=, which are 1 or 0.",
     .form = OPTIONS_PARSED,
     .affects = OUTPUTS_COMPARISON,
     .takes = "a formula",
     .parse = parse_formula,
     FIELD(formula)},
    {.name = "gate",
     .topic = TOPIC_COMPARING,
     .use = 6,
     .argument = "<file>",
     .help = "compare exact counts with a budget",
     .details =
         "A budget is a text file with limits for functions; people edit it. Prints\n"
         "the ten counts that differ most (change this number with -top). The exit\n"
         "status is 3 if a limit is exceeded.",
     .tables = {&gate_table},
     .form = OPTIONS_TEXT,
     .kind = OUTPUTS_GATE,
     .shows = OPTIONS_ALONE,
     FIELD(gate)},
    {.name = "gate-exact",
     .topic = TOPIC_COMPARING,
     .use = 8,
     .help = "with -gate-update: a new budget has all counts",
     .details = "The counts of every function must stay the same, and the executions of\n"
                "every line if blocks were counted. With -measure, only this measure.",
     .form = OPTIONS_FLAG,
     .affects = OUTPUTS_BUDGET,
     FIELD(gate_exact)},
    {.name = "gate-github",
     .topic = TOPIC_COMPARING,
     .use = 10,
     .help = "with -gate: print annotations for GitHub, too",
     .details = "GitHub shows them beside the functions of a pull request.",
     .form = OPTIONS_FLAG,
     .affects = OUTPUTS_GATE,
     FIELD(gate_github)},
    {.name = "gate-junit",
     .topic = TOPIC_COMPARING,
     .use = 11,
     .argument = "<file>",
     .help = "with -gate: write JUnit XML, too",
     .details = "GitLab, Jenkins and other services show it.",
     .form = OPTIONS_OUTPUT,
     .affects = OUTPUTS_GATE,
     FIELD(gate_junit)},
    {.name = "gate-threshold",
     .topic = TOPIC_COMPARING,
     .use = 9,
     .argument = "<x>",
     .help = "with -gate: permit at least <x> percent",
     .details =
         "Applies to limits in percent and to =. With -gate-update: the limits of a\n"
         "new budget.",
     .form = OPTIONS_NUMBER,
     .affects = OUTPUTS_GATE | OUTPUTS_BUDGET,
     .least = 0,
     .most = 1e6,
     FIELD(gate_threshold)},
    {.name = "gate-update",
     .topic = TOPIC_COMPARING,
     .use = 7,
     .argument = "<file>",
     .help = "write exact counts into a budget for -gate",
     .details =
         "Replaces the measured values and keeps limits and comments. If the file\n"
         "does not exist, it is created with limits for the program and for the ten\n"
         "functions that counted most (change this number with -top).",
     .form = OPTIONS_OUTPUT,
     .kind = OUTPUTS_BUDGET,
     .shows = OPTIONS_ALONE,
     FIELD(gate_update)},
    {.name = "graph-title",
     .topic = TOPIC_LOOKS,
     .use = 7,
     .argument = "<string>",
     .help = "title of the call graph or flame graph",
     .form = OPTIONS_TEXT,
     .affects = OUTPUTS_GRAPH | OUTPUTS_FLAME | OUTPUTS_PAGE | OUTPUTS_COMPARED,
     FIELD(callgraph_title)},
    {.name = "gray",
     .topic = TOPIC_LOOKS,
     .use = 6,
     .argument = "{false|true}",
     .help = "shade the outlines of graph nodes by their total",
     .details = "Black means all samples, white means none.",
     .form = OPTIONS_SWITCH,
     .affects = OUTPUTS_GRAPH,
     FIELD(gray)},
    {.name = "growth",
     .topic = TOPIC_COMPARING,
     .use = 4,
     .help = "print how functions grow with the input's size",
     .details =
         "mlprof a.out -growth -size N FILE ... -size M FILE ...: prints for each\n"
         "function the exponent k of n^k, with its error.",
     .tables = {&growth_table},
     .form = OPTIONS_FLAG,
     .kind = OUTPUTS_GROWTH,
     .shows = OPTIONS_ALONE,
     FIELD(growth)},
    {.name = "help",
     .topic = TOPIC_ITSELF,
     .use = 1,
     .help = "print this list",
     .details = "With another option before or after it, prints more about that option:\n"
                "mlprof -sort -help. -h is the same.",
     .form = OPTIONS_HELP},
    {.name = "hide",
     .topic = TOPIC_TABLE,
     .use = 3,
     .help = "remove matching functions from the stacks",
     .details = "Their values go to their callers.\n" //
     PATTERNS_DETAILS,
     PATTERNS,
     .affects = OUTPUTS_STACKS | OUTPUTS_WAITS,
     .selects = true,
     .against = "branch",
     FIELD(filter.hide)},
    {.name = "idle",
     .topic = TOPIC_TABLE,
     .use = 11,
     .help = "show idle waits apart from blocked ones",
     .details =
         "Idle waits are for work, and no thread of the program ended them. -no-idle\n"
         "counts them as blocked, as for locks between processes.",
     .form = OPTIONS_TOGGLE,
     .enabled = true,
     .affects = OUTPUTS_WAITS | OUTPUTS_PAGE,
     FIELD(idle)},
    {.name = "ignore",
     .topic = TOPIC_TABLE,
     .use = 2,
     .help = "drop stacks with a matching function",
     .details = PATTERNS_DETAILS,
     PATTERNS,
     .affects = OUTPUTS_STACKS,
     .selects = true,
     .against = "branch",
     FIELD(filter.ignore)},
    {.name = "keep",
     .topic = TOPIC_TABLE,
     .use = 4,
     .argument = "<exp>",
     .help = "show only functions that <exp> selects",
     .details =
         "In MLton's language: all, \"re\", (and e ...), (or e ...), (not e), (pred e),\n"
         "(succ e), (from e), (to e), (thresh x), (thresh-stack x), (thresh-gc x).\n"
         "Applies to the table and the call graph.",
     .form = OPTIONS_PARSED,
     .affects = OUTPUTS_TABLE | OUTPUTS_GRAPH,
     .takes = "an expression",
     .parse = parse_keep,
     .against = "thresh",
     .selects = true,
     FIELD(keep)},
    {.name = "layout",
     .topic = TOPIC_LOOKS,
     .use = 5,
     .argument = "{ccprof|mlton}",
     .help = "print numbers first, or tables as MLton does",
     .details = "ccprof puts names last and gives shares a 95 % interval.",
     .form = OPTIONS_CHOICE,
     .affects = OUTPUTS_ALL,
     FIELD(layout)},
    {.name = "library",
     .topic = TOPIC_MEMORY,
     .use = 4,
     .argument = "<re>",
     .help = "files that belong to libraries, for -by path",
     .details =
         "A source file belongs to a library if its path matches <re>, an extended\n"
         "regular expression. Files in folders of system headers always do. May be\n"
         "given several times.",
     .form = OPTIONS_PARSED,
     .affects = OUTPUTS_GROUPS | OUTPUTS_HEAP | OUTPUTS_COMPARISONS,
     .needed_key = ROWS_PATHS,
     .takes = "a regular expression",
     .parse = parse_patterns,
     FIELD(libraries)},
    {.name = "live",
     .topic = TOPIC_DATA,
     .use = 6,
     .argument = "<process>",
     .help = "show a running process live on the terminal",
     .details =
         "Asks the process every second. The argument is its PID, its name, or a\n"
         "folder in which it writes slices. All options that change printed views\n"
         "are possible. Keys change them while the table is shown:\n"
         "  s       sort by the next column\n"
         "  m       show the next measure\n"
         "  b       rows are functions, lines, threads, modules or files\n"
         "  /       keep only stacks with a matching function (-focus)\n"
         "  + -     the time that is shown: the last 1 s to 60 s, or the whole run\n"
         "  p       pause\n"
         "  arrows  select a row; Enter shows the callers of its function, Esc\n"
         "          goes back\n"
         "  h, q    help, quit",
     .form = OPTIONS_TEXT,
     .affects = OUTPUTS_DATA & ~OUTPUTS_COMPARISONS,
     .against = "compare growth merge-builds mlmon pid size weight",
     FIELD(live)},
    {.name = "long-name",
     .topic = TOPIC_LOOKS,
     .use = 4,
     .argument = "{true|false}",
     .help = "show long names of functions",
     .details = "false shows only the last component: add for matrix::row::add.",
     .form = OPTIONS_SWITCH,
     .affects = OUTPUTS_NAMES | OUTPUTS_ADDRESSES,
     FIELD(names.long_name)},
    {.name = "measure",
     .topic = TOPIC_USED,
     .use = 6,
     .help = "which measure to show or compare",
     .details =
         "Affects tables, callers, paths, graphs and files.\n"
         "  main      time if it was measured, or else bytes, or else\n"
         "            instructions, or else calls\n"
         "  total     the same, including called functions\n"
         "  instructions ...\n"
         "            this and the words up to vector512 need a program compiled\n"
         "            with profile=instructions. Tables show several of them side\n"
         "            by side: -measure instructions,loads,stores\n"
         "  wait      waiting, of a run with CCPROF=wait=yes\n"
         "  latency   time, divided by the number of threads that ran; of such a run\n"
         "  live ...  this and the words after it measure the heap; see -heap",
     .form = OPTIONS_CHOICE,
     .affects = OUTPUTS_MEASURES | OUTPUTS_TABLE | OUTPUTS_GROUPS | OUTPUTS_HEAP |
                OUTPUTS_TABLE_FILES | OUTPUTS_BLOCKS | OUTPUTS_COMPARISONS |
                OUTPUTS_COUNTS,
     .parse = parse_measure,
     .rest = "heap",
     FIELD(measure)},
    {.name = "merge-builds",
     .topic = TOPIC_DATA,
     .use = 9,
     .help = "also add data of other builds of the program",
     .details =
         "mlprof -merge-builds b.out a.out FILE ...: functions are matched by\n"
         "their linkage names and files, as with -compare. The table shows their\n"
         "places in the first build. If another build was moved, name it after the\n"
         "first. Views of lines and machine code cannot add builds.",
     .form = OPTIONS_TOGGLE,
     .affects = OUTPUTS_TABLE | OUTPUTS_GROUPS | OUTPUTS_TIMES | OUTPUTS_CALLS |
                OUTPUTS_PATH | OUTPUTS_TRAINED | OUTPUTS_HEAP | OUTPUTS_GRAPH |
                OUTPUTS_FLAME | OUTPUTS_TABLE_FILES | OUTPUTS_PPROF | OUTPUTS_FOLDED |
                OUTPUTS_FEEDBACK,
     .selects = true,
     .against = "branch",
     FIELD(merge_builds)},
    {.name = "mlmon",
     .topic = TOPIC_DATA,
     .use = 7,
     .argument = "<file>",
     .help = "read the mlmon.out files listed in <file>",
     .details =
         "Separate the names by blanks or newlines. May be given several times. In\n"
         "comparisons, its place on the command line counts as the place of the\n"
         "files.",
     .form = OPTIONS_WORDS,
     .affects = OUTPUTS_DATA,
     FIELD(lists)},
    {.name = "names",
     .topic = TOPIC_LOOKS,
     .use = 3,
     .argument = "{readable|plain|full}",
     .help = "shorten names of C++, or show them in full",
     .details =
         "  readable  std::string for its long form, no default arguments, no inline\n"
         "            namespaces, `...' for long parts; at most 100 columns, also in\n"
         "            a pipe\n"
         "  plain     the compiler's name without parameters; the default with\n"
         "            -layout mlton\n"
         "  full      the compiler's name with parameters",
     .form = OPTIONS_CHOICE,
     .affects = OUTPUTS_NAMES,
     .first = NAMES_READABLE,
     FIELD(names.form)},
    {.name = "never",
     .topic = TOPIC_TABLE,
     .use = 10,
     .help = "include what was never called or executed",
     .details =
         "Otherwise the line below the table says how much there is. With -compare,\n"
         "includes rows that are 0 before and after.",
     .form = OPTIONS_TOGGLE,
     .affects = OUTPUTS_TABLE | OUTPUTS_GROUPS | OUTPUTS_COMPARISON,
     FIELD(never),
     .against = "formula"},
    {.name = "open",
     .topic = TOPIC_LOOKS,
     .use = 8,
     .help = "show the page of -html in a browser",
     .details =
         "Uses the browser in $BROWSER, or xdg-open. Without -html, the page is a new\n"
         "file in $TMPDIR or /tmp, which is not deleted.",
     .form = OPTIONS_FLAG,
     .same_as = "html",
     FIELD(open)},
    {.name = "paths",
     .topic = TOPIC_REGIONS,
     .use = 3,
     .help = "separate regions by the regions around them",
     .details = "With -regions and -histogram: A > B means B inside A.",
     .form = OPTIONS_TOGGLE,
     .affects = OUTPUTS_REGIONS | OUTPUTS_HISTOGRAMS | OUTPUTS_PAGE |
                OUTPUTS_TABLE_FILES | OUTPUTS_COMPARISON,
     FIELD(paths)},
    {.name = "pid",
     .topic = TOPIC_DATA,
     .use = 1,
     .argument = "<pid>",
     .help = "read the profile of a running process",
     .details =
         "The run so far, from the start of the program, or only some seconds\n"
         "(-seconds). The process continues, and writes its own data file at its end.\n"
         "The program is found by itself; name it to use another copy of it.",
     .form = OPTIONS_NUMBER,
     .affects = OUTPUTS_DATA & ~OUTPUTS_COMPARISONS,
     .least = 1,
     .most = PID_MOST,
     .whole = true,
     .against = "compare growth merge-builds mlmon size weight",
     FIELD(pid)},
    {.name = "range",
     .topic = TOPIC_MEMORY,
     .use = 5,
     .argument = "<from-to>",
     .help = "show only memory allocated in this time",
     .details =
         "With -heap, in seconds from the start of the run: 0.5-2, for example, or\n"
         "0.5- for all from 0.5 on. Times are rounded to the buckets of -heap-times.\n"
         "  live       memory in use at the end of the range\n"
         "  leaks      memory in use at the end of the run\n"
         "  allocated  everything allocated in the range",
     .form = OPTIONS_PARSED,
     .affects = OUTPUTS_MEASURES | OUTPUTS_HEAP | OUTPUTS_TABLE_FILES | OUTPUTS_BLOCKS,
     .takes = "two times in seconds",
     .parse = parse_range,
     FIELD(range)},
    {.name = "rate",
     .topic = TOPIC_DATA,
     .use = 3,
     .argument = "<hz>",
     .help = "with -seconds: take <hz> samples per second",
     .details =
         "Only if the process has taken no sample yet: it is dormant, or was started\n"
         "with CCPROF=start=no. Later its rate cannot change.",
     .form = OPTIONS_NUMBER,
     .affects = OUTPUTS_DATA & ~OUTPUTS_COMPARISONS,
     .least = 1,
     .most = CCPROF_RATE_MOST,
     .whole = true,
     .needs = "seconds",
     FIELD(rate)},
    {.name = "raw",
     .topic = TOPIC_LOOKS,
     .use = 1,
     .argument = "{false|true}",
     .help = "show seconds beside percentages",
     .form = OPTIONS_SWITCH,
     .affects = OUTPUTS_TABLE | OUTPUTS_GROUPS | OUTPUTS_CALLS | OUTPUTS_TRAINED |
                OUTPUTS_LINES | OUTPUTS_GRAPH,
     FIELD(raw)},
    {.name = "record",
     .topic = TOPIC_DATA,
     .use = 5,
     .argument = "<file>",
     .help = "with -pid: keep the data in <file>",
     .details = "mlprof <file> shows the same report again, without the process.",
     .form = OPTIONS_OUTPUT,
     .affects = OUTPUTS_DATA & ~OUTPUTS_COMPARISONS,
     .needs = "pid",
     FIELD(record)},
    {.name = "seconds",
     .topic = TOPIC_DATA,
     .use = 2,
     .argument = "<n>",
     .help = "with -pid: only the next <n> seconds",
     .details =
         "A whole number. Ctrl-C ends the time early and shows the report. If the\n"
         "process takes no samples of its own, it takes them during this time.",
     .form = OPTIONS_NUMBER,
     .affects = OUTPUTS_DATA & ~OUTPUTS_COMPARISONS,
     .least = 1,
     .most = UINT16_MAX,
     .whole = true,
     .needs = "pid",
     FIELD(seconds)},
    {.name = "show-extern",
     .topic = TOPIC_TABLE,
     .use = 8,
     .help = "show functions outside profiled code",
     .details =
         "With -no-show-extern, they are charged to the nearest profiled caller. This\n"
         "is the default with -layout mlton and for measures of the heap.",
     .form = OPTIONS_TOGGLE,
     .enabled = true,
     .affects = OUTPUTS_SAMPLED | OUTPUTS_SITES,
     .first = OPTIONS_NO_EXTERN,
     FIELD(show_extern)},
    {.name = "show-line",
     .topic = TOPIC_LOOKS,
     .use = 2,
     .argument = "{false|true}",
     .help = "show files and line numbers",
     .form = OPTIONS_SWITCH,
     .affects = OUTPUTS_TABLE | OUTPUTS_TIMES | OUTPUTS_CALLS | OUTPUTS_PATH |
                OUTPUTS_TRAINED | OUTPUTS_SITES | OUTPUTS_REGIONS | OUTPUTS_HEAP |
                OUTPUTS_GRAPH | OUTPUTS_FLAME | OUTPUTS_COMPARISONS,
     FIELD(names.show_line)},
    {.name = "show-wrappers",
     .topic = TOPIC_MEMORY,
     .use = 6,
     .help = "show wrappers of allocators, such as xmalloc",
     .details =
         "With -heap. A wrapper is a function that returns all the memory that it\n"
         "gets from allocators. Otherwise its caller is charged. If an option names a\n"
         "wrapper, as in -list xmalloc, that wrapper is shown.",
     .form = OPTIONS_TOGGLE,
     .affects =
         OUTPUTS_MEASURES | OUTPUTS_HEAP | OUTPUTS_TABLE_FILES | OUTPUTS_COMPARISONS,
     FIELD(show_wrappers)},
    {.name = "size",
     .topic = TOPIC_COMPARING,
     .use = 5,
     .argument = "<n>",
     .help = "input size of the data files after this option",
     .details = "For -growth and -formula.",
     .form = OPTIONS_DIVISION,
     .affects = OUTPUTS_COMPARISONS,
     .least = 1e-6,
     .most = 1e18,
     FIELD(divisions)},
    {.name = "skid",
     .topic = TOPIC_DATA,
     .use = 11,
     .help = "charge samples to the instruction that just ended",
     .details = "-no-skid leaves each sample at the instruction where it was taken.",
     .form = OPTIONS_TOGGLE,
     .enabled = true,
     .affects = OUTPUTS_SAMPLED | OUTPUTS_TRAINED,
     FIELD(skid)},
    {.name = "sort",
     .topic = TOPIC_USED,
     .use = 7,
     .argument = "{self|total|calls|percall|bytes|blocks|insns|code|change|share|name}",
     .help = "sort tables by this column",
     .details =
         "The greatest come first. Some words mean other columns in some tables:\n"
         "  name         from A to Z\n"
         "  calls        also executions or iterations\n"
         "  percall      also the time of an execution or iteration; mean in -regions\n"
         "  insns, code  with -by copy\n"
         "  change       with -compare\n"
         "  share        with -branches\n"
         "If a table does not have the column, it keeps its own order: self in most\n"
         "tables, line in -arcs, lost in -imbalance, rarer in -branches, and certain\n"
         "changes first in -compare.",
     .form = OPTIONS_CHOICE,
     .affects = OUTPUTS_COMPARISON,
     .orders = true,
     .against = "formula",
     FIELD(sort)},
    {.name = "source-dir",
     .topic = TOPIC_SOURCE,
     .use = 1,
     .argument = "<dir>",
     .help = "also look for source files in <dir>",
     .details =
         "Below as many of the last folders of their paths as exist there: the file\n"
         "compiled as /build/pkg/src/x.c may be <dir>/pkg/src/x.c or <dir>/x.c. May\n"
         "be given several times.",
     .form = OPTIONS_PARSED,
     .affects = OUTPUTS_TEXTS,
     .parse = parse_source_dir,
     FIELD(sources)},
    {.name = "source-map",
     .topic = TOPIC_SOURCE,
     .use = 2,
     .argument = "<from=to>",
     .help = "look for source files below <from> in <to>",
     .details = "Use it for programs that were compiled on another machine or with\n"
                "-ffile-prefix-map. May be given several times.",
     .form = OPTIONS_PARSED,
     .affects = OUTPUTS_TEXTS | OUTPUTS_GCDA,
     .takes = "two folders, from=to",
     .parse = parse_source_map,
     FIELD(sources)},
    {.name = "source-text",
     .topic = TOPIC_SOURCE,
     .use = 3,
     .argument = "{same|any}",
     .help = "show only unchanged source files, or any",
     .details =
         "  same  files whose MD5 is the one in the tables, and files in the folders\n"
         "        of -source-dir and -source-map\n"
         "  any   any file at the path\n"
         "The maker of a program can put the path of any file of yours into it: use\n"
         "any for your own programs only.",
     .form = OPTIONS_CHOICE,
     .affects = OUTPUTS_TEXTS,
     FIELD(sources.any)},
    {.name = "split",
     .topic = TOPIC_TABLE,
     .use = 6,
     .help = "show each copy of matching functions separately",
     .details =
         "A copy is the function's own body or one place where it is inlined. May be\n"
         "given several times.\n" //
     VIEWS_PATTERN_DETAILS,
     PATTERNS,
     .affects = OUTPUTS_COPIES,
     FIELD(split)},
    {.name = "subtract",
     .topic = TOPIC_REGIONS,
     .use = 4,
     .help = "subtract the cost of measuring regions",
     .form = OPTIONS_TOGGLE,
     .enabled = true,
     .affects = OUTPUTS_REGIONS | OUTPUTS_HISTOGRAMS | OUTPUTS_PAGE |
                OUTPUTS_TABLE_FILES | OUTPUTS_COMPARISON,
     FIELD(subtract)},
    {.name = "thresh",
     .topic = TOPIC_TABLE,
     .use = 1,
     .argument = "<x>",
     .help = "show functions with at least <x> %, from 0 to 100",
     .form = OPTIONS_NUMBER,
     .affects = OUTPUTS_ROWS | OUTPUTS_LINES | OUTPUTS_GRAPH | OUTPUTS_FLAME |
                OUTPUTS_COMPARISONS | OUTPUTS_PROGRAMS,
     .least = 0,
     .most = 100,
     FIELD(thresh)},
    {.name = "times",
     .topic = TOPIC_DATA,
     .use = 4,
     .help = "with -seconds: record when samples are taken",
     .details =
         "As with CCPROF=times=yes, for the page of -html. Only if the process has\n"
         "taken no sample yet, as with -rate.",
     .form = OPTIONS_FLAG,
     .affects = OUTPUTS_DATA & ~OUTPUTS_COMPARISONS,
     .needs = "seconds",
     FIELD(times)},
    {.name = "tolerant",
     .topic = TOPIC_DATA,
     .use = 8,
     .argument = "{false|true}",
     .help = "report broken mlmon.out files and continue",
     .form = OPTIONS_SWITCH,
     .affects = OUTPUTS_DATA | OUTPUTS_PROGRAMS,
     FIELD(tolerant)},
    {.name = "top",
     .topic = TOPIC_USED,
     .use = 1,
     .argument = "<n>",
     .help = "show only the first <n> rows, or boxes of a graph",
     .details =
         "0 shows all. By default, tables have as many rows as fit on the terminal,\n"
         "and 20 in a file or a pipe.",
     .form = OPTIONS_NUMBER,
     .affects = OUTPUTS_ROWS | OUTPUTS_WAITS | OUTPUTS_HISTOGRAMS | OUTPUTS_GRAPH |
                OUTPUTS_COMPARISONS | OUTPUTS_GATE | OUTPUTS_BUDGET | OUTPUTS_PROGRAMS,
     .most = 1e9,
     .whole = true,
     FIELD(top)},
    {.name = "unprofile",
     .topic = TOPIC_TABLE,
     .use = 7,
     .help = "charge matching functions to their callers",
     .details = VIEWS_PATTERN_DETAILS,
     PATTERN,
     .affects = OUTPUTS_FUNCTIONS,
     .selects = true,
     FIELD(unprofile)},
    {.name = "version",
     .topic = TOPIC_ITSELF,
     .use = 2,
     .help = "print the version",
     .form = OPTIONS_VERSION},
    {.name = "weight",
     .topic = TOPIC_DATA,
     .use = 10,
     .argument = "<name=n>",
     .help = "count the data files <name> n times",
     .details = "A file, a folder, or a shell pattern. May be given several times. If\n"
                "several match a file, the last one is used.",
     .form = OPTIONS_PARSED,
     .affects = OUTPUTS_FEEDBACK,
     .takes = "a name and a weight, name=n",
     .parse = parse_weight,
     .selects = true,
     .because = "the precision of multiplied samples is not known",
     FIELD(weights)},
    {.name = "where",
     .topic = TOPIC_SOURCE,
     .use = 4,
     .help = "print functions and lines at given addresses",
     .details =
         "mlprof -where FILE ADDRESS ...; if no addresses are given, they are read\n"
         "from standard input.",
     .form = OPTIONS_FLAG,
     .kind = OUTPUTS_ADDRESSES,
     .shows = OPTIONS_ALONE,
     FIELD(where)},
};

#define ENTRIES (sizeof entries / sizeof *entries)

struct options_entry options_table[ENTRIES + VIEWS_MOST + EXPORT_MOST];
size_t options_count;

const struct options_entry options_folder = {
    .name = "folder",
    .kind = OUTPUTS_PROGRAMS,
    .shows = OPTIONS_ALONE,
};

BUF_COMPARE(by_name, struct options_entry, strcmp(a->name, b->name))

/* Returns the option of the view with this NUMBER. The option's field is element
   NUMBER of `views'. */
static struct options_entry view_entry(size_t number)
{
    const struct views_entry *view = views_all[number];
    struct options_entry entry = {.name = view->name,
                                  .topic = view->topic,
                                  .use = view->use,
                                  .help = view->help,
                                  .details = view->details,
                                  .shows = OPTIONS_PRINTED,
                                  .kind = view->kind,
                                  .affects = view->affects |
                                             (view->data[0].fill ? OUTPUTS_CSV : 0),
                                  .view = view,
                                  .offset = offsetof(struct options, views) +
                                            number * sizeof(struct views_request)};
    if (view->takes == VIEWS_PATTERN) {
        const struct options_entry pattern = {PATTERN};
        entry.argument = pattern.argument;
        entry.form = pattern.form;
        entry.takes = pattern.takes;
        entry.parse = pattern.parse;
        entry.offset += offsetof(struct views_request, pattern);
        entry.size = sizeof(struct pattern);
    } else if (view->takes == VIEWS_CHOICE || view->takes == VIEWS_MEASURE) {
        bool heap = view->takes == VIEWS_MEASURE;
        entry.argument = heap ? measure_words(true) : view->words;
        entry.form = OPTIONS_CHOICE;
        entry.parse = heap ? parse_heap : NULL;
        entry.first = heap ? 0 : 1;
        while (heap && measure_all[entry.first].kinds)
            entry.first++;
        entry.offset += offsetof(struct views_request, choice);
        entry.size = sizeof(unsigned);
    } else {
        entry.form = OPTIONS_FLAG;
        entry.offset += offsetof(struct views_request, given);
        entry.size = sizeof(bool);
    }
    for (size_t i = 0; i < VIEWS_DATA_MOST; i++)
        entry.tables[i] = view->data[i].table;
    return entry;
}

/* Returns the option of the format with this NUMBER. The option's field is element
   NUMBER of `exports.paths'. */
static struct options_entry format_entry(size_t number)
{
    const struct export_format *format = export_formats[number];
    return (struct options_entry){
        .name = format->name,
        .topic = strcmp(format->name, "html") ? TOPIC_OTHERS : TOPIC_USED,
        .use = 10 * (unsigned)(number + 1),
        .argument = format->argument ? format->argument : "<file>",
        .help = format->help,
        .details = format->needs & EXPORT_BLOCKS
                       ? "Needs a program compiled with profile=count and blocks."
                       : format->details,
        .form = OPTIONS_OUTPUT,
        .shows = OPTIONS_WRITTEN,
        .kind = format->kind,
        .affects = format->affects,
        .offset = offsetof(struct options, exports.paths) + number * sizeof(const char *),
        .size = sizeof(const char *)};
}

void options_fill_table(void)
{
    memcpy(options_table, entries, sizeof entries);
    options_count = ENTRIES;
    for (size_t i = 0; i < ENTRIES; i++)
        if (options_table[i].parse == parse_measure)
            options_table[i].argument = measure_words(false);
        else if (options_table[i].offset == offsetof(struct options, rows_key))
            options_table[i].argument = rows_key_words();
    for (size_t i = 0; i < views_count; i++)
        if (views_all[i]->takes != VIEWS_NO_OPTION)
            options_table[options_count++] = view_entry(i);
    for (size_t i = 0; i < export_format_count; i++)
        options_table[options_count++] = format_entry(i);
    BUF_SORT(options_table, options_count, by_name);
}

const struct options_other options_others[] = {
    {"annotate", "list", NULL},  {"cum", "sort", "total"},      {"diff", "compare", NULL},
    {"files", "by", "file"},     {"flamegraph", "flame", NULL}, {"h", "help", NULL},
    {"leaks", "heap", "leaks"},  {"lines", "by", "line"},       {"n", "top", NULL},
    {"threads", "by", "thread"}, {"web", "open", NULL},         {0}};

const struct options_removed options_removed[] = {
    {"allocs", "use -by site, -by type or -by path"},
    {"firefox",
     "the Firefox Profiler reads the files of -folded and -dhat; -html shows samples and "
     "calls of regions in time order"},
    {"gate-write", "use -gate-update with -gate-exact"},
    {"gcov", "use -lcov or -cobertura for tools that show coverage, -json for others"},
    {"gcov-version", "use -lcov, -cobertura or -json"},
    {"google-pprof", "-pprof writes the current format of pprof"},
    {"massif", "-heap-times and -html show the heap over time, -dhat its stacks"},
    {"speedscope", "speedscope reads the file of -folded"},
    {0}};

const struct options_entry *options_find(const char *name, size_t length)
{
    for (size_t i = 0; i < options_count; i++) {
        const struct options_entry *option = &options_table[i];
        if (strncmp(option->name, name, length) == 0 && !option->name[length])
            return option;
    }
    return NULL;
}

const char *options_word(const struct options_entry *option, unsigned number,
                         size_t *length)
{
    const char *word = option->argument + 1;
    while (*word) {
        *length = strcspn(word, "|}");
        if (number-- == 0)
            return word;
        word += *length + 1;
    }
    return NULL;
}
