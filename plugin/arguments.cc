// SPDX-License-Identifier: GPL-3.0-or-later
// The table of the plugin's arguments, and their parser. Also prints the help, and
// reports arguments that contradict each other.

#include "plugin/gcc/compat.h"
#include "plugin/arguments.h"
#include "plugin/gcc/filter.h"
#include "plugin/gcc/options.h"
#include "plugin/mark/mark.h"
#include "plugin/attach.h"

namespace
{
struct argument {
    const char *name;
    const char *values; // NULL: the argument takes no value
    const char *help;   // NULL: for tests of ccprof, not listed and not suggested
    // Applies the argument and returns false if the value is wrong. The value is NULL if
    // and only if VALUES is NULL.
    bool (*action)(const char *value);
};
} // namespace

#define PROFILES "{time|time-label|time-field|count|instructions|alloc|call|no|drop}"
// Appended to PROFILES in error messages.
#define COMBINED                                                                         \
    ", or several kinds with commas between, each once, of time one: time,count,alloc"

// Returns the kinds in a comma-separated list, or 0 if the list is wrong. A list is wrong
// if it contains a kind twice, or several kinds of time.
static unsigned find_kinds(const char *list)
{
    unsigned all = 0;

    for (;;) {
        size_t size = strcspn(list, ",");
        unsigned kind = options_kind(list, size);
        unsigned timed = (all | kind) & CCPROF_KINDS_SAMPLED;
        if (!kind || all & kind || timed == CCPROF_KINDS_SAMPLED)
            return 0;
        all |= kind;
        if (!list[size])
            return all;
        list += size + 1;
    }
}

static bool set_profile(const char *value)
{
    options.kinds = find_kinds(value);
    if (options.kinds)
        options.profile = OPTIONS_PROFILE_MEASURE;
    else if (!strcmp(value, "no"))
        options.profile = OPTIONS_PROFILE_NO;
    else if (!strcmp(value, "drop"))
        options.profile = OPTIONS_PROFILE_DROP;
    else
        return false;
    return true;
}

static bool set_position(const char *value)
{
    if (!strcmp(value, "expression"))
        options.position = CCPROF_POSITION_EXPRESSION;
    else if (!strcmp(value, "line"))
        options.position = CCPROF_POSITION_LINE;
    else if (!strcmp(value, "none"))
        options.position = CCPROF_POSITION_NONE;
    else
        return false;
    return true;
}

static bool set_mark(const char *value)
{
    if (!strcmp(value, "source"))
        options.mark = OPTIONS_MARK_SOURCE;
    else if (!strcmp(value, "function"))
        options.mark = OPTIONS_MARK_FUNCTION;
    else if (!strcmp(value, "block"))
        options.mark = OPTIONS_MARK_BLOCK;
    else
        return false;
    return true;
}

static bool check_pattern(const char *regexp, const char *wrong)
{
    if (wrong)
        error("ccprof: in the regular expression %qs: %s", regexp, wrong);
    return true;
}

static bool add_pattern(const char *regexp, enum filter_subject subject, bool include)
{
    return check_pattern(regexp, filter_add(regexp, subject, include));
}

static bool add_include(const char *value)
{
    return add_pattern(value, FILTER_FILE, true);
}

static bool add_exclude(const char *value)
{
    return add_pattern(value, FILTER_FILE, false);
}

static bool add_include_function(const char *value)
{
    return add_pattern(value, FILTER_FUNCTION, true);
}

static bool add_exclude_function(const char *value)
{
    return add_pattern(value, FILTER_FUNCTION, false);
}

static bool add_watch(const char *regexp, enum filter_subject subject)
{
    if (flag_tm && !filter_watches_any())
        warning(0, "ccprof: with %<-fgnu-tm%> no function has a stopwatch");
    return check_pattern(regexp, filter_add_watch(regexp, subject));
}

static bool add_stopwatch(const char *value)
{
    return add_watch(value, FILTER_FUNCTION);
}

static bool add_stopwatch_file(const char *value)
{
    return add_watch(value, FILTER_FILE);
}

static bool set_targets(const char *)
{
    options.targets = true;
    return true;
}

static bool set_train(const char *)
{
    options.train = true;
    return true;
}

static bool set_train_order(const char *)
{
    options.train = options.train_order = true;
    return true;
}

static bool set_train_values(const char *)
{
    options.train = options.train_values = true;
    return true;
}

static bool set_blocks(const char *)
{
    options.blocks = true;
    return true;
}

static bool set_mispredictions(const char *)
{
    options.blocks = options.mispredicted = true;
    return true;
}

static bool set_branch(const char *)
{
    options.branch = true;
    return true;
}

static bool set_stack(const char *)
{
    options.stack = true;
    return true;
}

static bool set_trace(const char *)
{
    options.trace = true;
    return true;
}

static bool set_tail_calls(const char *value)
{
    if (!strcmp(value, "always"))
        options.tail_calls = OPTIONS_TAIL_CALLS_ALWAYS;
    else if (!strcmp(value, "self-only"))
        options.tail_calls = OPTIONS_TAIL_CALLS_SELF_ONLY;
    else if (!strcmp(value, "never"))
        options.tail_calls = OPTIONS_TAIL_CALLS_NEVER;
    else
        return false;
    return true;
}

static bool set_remarks(const char *value)
{
    options.remarks = !strcmp(value, "yes");
    return options.remarks || !strcmp(value, "no");
}

static bool set_dormant(const char *)
{
    options.dormant = true;
    return true;
}

static bool set_verbose(const char *)
{
    options.verbose = true;
    return true;
}

static bool set_check(const char *)
{
    options.check = true;
    return true;
}

static bool set_scopes(const char *value)
{
    options.ignore_scopes = !strcmp(value, "no");
    return options.ignore_scopes || !strcmp(value, "yes");
}

static bool set_fault(const char *value)
{
    options.fault = value;
    return true;
}

static bool print_help(const char *)
{
    fputs(arguments_help(), stderr);
    return true;
}

static const struct argument arguments[] = {
    {"profile", PROFILES,
     "what is measured, kinds with commas between; drop: carry markers, emit nothing",
     set_profile},
    {"position", "{expression|line|none}", "how finely positions are recorded",
     set_position},
    {"mark", "{source|function|block}",
     "what gets rows: source functions, or what the optimiser made of them", set_mark},
    {"include", "REGEXP", "profile the functions of matching files; the last match wins",
     add_include},
    {"exclude", "REGEXP", "fold the functions of matching files into their callers",
     add_exclude},
    {"include-function", "REGEXP", "profile matching functions; one order with the above",
     add_include_function},
    {"exclude-function", "REGEXP", "fold matching functions into their callers",
     add_exclude_function},
    {"stopwatch", "REGEXP", "measure the real time of each call of matching functions",
     add_stopwatch},
    {"stopwatch-file", "REGEXP", "the same, of the functions of matching files",
     add_stopwatch_file},
    {"blocks", NULL, "count the executions of basic blocks and branches, too",
     set_blocks},
    {"branch", NULL,
     "branches have rows of their own: their time and bytes, and as blocks their counts",
     set_branch},
    {"mispredictions", NULL,
     "blocks, and count how often each branch is mispredicted, too", set_mispredictions},
    {"targets", NULL, "count which functions each indirect call calls, too", set_targets},
    {"train", NULL,
     "count what GCC optimises by: mlprof -gcda writes it for -fprofile-use", set_train},
    {"train-order", NULL, "train, and count in which order functions come first, too",
     set_train_order},
    {"train-values", NULL, "train, and count which divisors and sizes are frequent, too",
     set_train_values},
    {"stack", NULL, "inclusive counts: what each function's callees counted, too",
     set_stack},
    {"trace", NULL, "with stack: each call can be told where it is entered and left",
     set_trace},
    {"tail-calls", "{always|self-only|never}",
     "which calls may leave their caller's place on the stack", set_tail_calls},
    {"remarks", "{yes|no}", "record what GCC did with each loop (default: yes)",
     set_remarks},
    {"dormant", NULL, "measure nothing until mlprof -pid asks the running program",
     set_dormant},
    {"delay", "FUNCTION:NANOSECONDS", "spend CPU time at each call, to test the profile",
     delay_set},
    {"verbose", NULL, "with counts: tell how many counters each function has",
     set_verbose},
    {"check", NULL, "check after every pass that the markers nest", set_check},
    {"help", NULL, "print this list", print_help},
    {"scopes", "{yes|no}", NULL, set_scopes},
    {"fault", "FUNCTION", NULL, set_fault},
    {"cpu", "NAME", NULL, attach_pretend_cpu},
};

static const struct argument *find_argument(const char *name)
{
    for (const struct argument &a : arguments)
        if (!strcmp(a.name, name))
            return &a;
    return NULL;
}

// Returns the most similar name, NULL if no name is similar enough.
static const char *find_similar(const char *name)
{
    auto_vec<const char *> names;

    for (const struct argument &a : arguments)
        if (a.help)
            names.safe_push(a.name);
    return find_closest_string(name, &names);
}

static void report_unknown(const char *name, const char *equals, const char *value)
{
    const char *similar = find_similar(name);

    if (similar)
        error("ccprof: unknown argument %<%s%s%s%>; did you mean %qs?", name, equals,
              value, similar);
    else
        error("ccprof: unknown argument %<%s%s%s%>; %<-fplugin-arg-ccprof-help%> lists "
              "the right ones",
              name, equals, value);
}

// Reports each mistake in one line.
static void parse_argument(const char *name, const char *value)
{
    const struct argument *a = find_argument(name);
    const char *const equals = value ? "=" : "";
    const char *const shown = value ? value : "";
    const char *const more = a && a->action == set_profile ? COMBINED : "";

    if (!a)
        report_unknown(name, equals, shown);
    else if (a->values && !value)
        error("ccprof: the argument %qs lacks its value %s%s", name, a->values, more);
    else if (!a->values && value)
        error("ccprof: the argument %qs takes no value", name);
    else if (!a->action(value))
        error("ccprof: %<%s%s%s%>: the value must be one of %s%s", name, equals, shown,
              a->values, more);
}

// Branches are distinguished by the position of the code. With time-field this is not
// possible: a site represents only a local stack.
static void check_branch(void)
{
    if (!options.branch || options_measures(CCPROF_KIND_COUNT))
        return;
    if (!options_measures(CCPROF_KIND_TIME | CCPROF_KIND_ALLOC))
        error("ccprof: %<branch%> needs %<profile=time%>, %<profile=alloc%> or "
              "%<profile=count%>%s",
              options_measures(CCPROF_KIND_FIELD)
                  ? ": with time-field nothing tells which branch is executed"
                  : "");
    else if (options.position == CCPROF_POSITION_NONE)
        error("ccprof: %<branch%> without counts needs positions: not "
              "%<position=none%>");
}

// A build with `train' makes a profile, so it cannot use one, and it must not use GCC's
// own counters. A makefile that passes its flags on twice may cause such a compilation.
static void check_train_alone(void)
{
    const char *other = flag_auto_profile  ? "-fauto-profile"
                        : flag_profile_use ? "-fprofile-use"
                                           : NULL;

    if (other)
        warning(0,
                "ccprof: %<train%> and %qs in one compilation: GCC may say that the "
                "profile does not match; leave %<-fplugin-arg-ccprof-train%> out of the "
                "build that uses a profile",
                other);
    else if (profile_arc_flag)
        warning(0,
                "ccprof: %<train%> and GCC%'s own counters (%<-fprofile-generate%>, "
                "%<-fprofile-arcs%>, %<--coverage%>) in one compilation: both write the "
                "same %<.gcda%> files; leave one of them out");
}

// `train' counts arcs, and nothing else can be counted with it, because earlier marks
// would change the graph of the arcs. Time is only measured if the user asks for it.
static void apply_train(bool kinds_given)
{
    if (!options.train)
        return;
    check_train_alone();
    if (!kinds_given)
        options.kinds = 0;
    if (options.kinds & ~CCPROF_KIND_TIME || options.mark != OPTIONS_MARK_SOURCE ||
        options.blocks || options.branch || options.targets || options.stack)
        error("ccprof: %<train%> goes with nothing else that is counted, but with "
              "%<profile=time%>");
    if (options.profile == OPTIONS_PROFILE_MEASURE)
        options.kinds |= CCPROF_KIND_COUNT;
}

// Reports arguments that exclude each other.
static void check_together(void)
{
    const char *counted = options.mispredicted ? "mispredictions"
                          : options.blocks     ? "blocks"
                          : options.targets    ? "targets"
                                               : NULL;
    const char *sourced = options.branch ? "branch" : counted;

    if (options.stack && !options_measures(CCPROF_KINDS_MEASURED))
        error("ccprof: %<stack%> needs %<profile=count%>, %<profile=alloc%> or a kind of "
              "time");
    // `trace' uses the counters of calls, which mark where each call begins.
    if (options.trace && !(options.stack && options.kinds == CCPROF_KIND_COUNT))
        error("ccprof: %<trace%> needs %<stack%> and %<profile=count%>");
    if (options.profile != OPTIONS_PROFILE_MEASURE)
        return;
    // Counters count from the start, and time-field stores from the start.
    if (options.dormant && options.kinds != CCPROF_KIND_TIME)
        error("ccprof: %<dormant%> goes with %<profile=time%> only");
    if (counted && !options_measures(CCPROF_KIND_COUNT))
        error("ccprof: %qs needs %<profile=count%>, or count beside other kinds",
              counted);
    check_branch();
    if (sourced && options.mark != OPTIONS_MARK_SOURCE)
        error("ccprof: %qs needs %<mark=source%>", sourced);
    // Only the early passes know where inlined functions are entered, and blocks are not
    // entered like functions.
    if (options.stack &&
        (options.mark == OPTIONS_MARK_BLOCK ||
         (options.mark == OPTIONS_MARK_FUNCTION && options_measures(CCPROF_KIND_COUNT))))
        error("ccprof: %<stack%> needs %<mark=source%>, or %<mark=function%> without "
              "%<profile=count%>");
    // Some kinds count blocks of GIMPLE, the others blocks of RTL.
    if (options.mark == OPTIONS_MARK_BLOCK && options.kinds & (options.kinds - 1))
        error("ccprof: %<mark=block%> goes with one kind only");
}

// A transaction must not contain an asm statement.
static void apply_transactions(void)
{
    if (options.profile != OPTIONS_PROFILE_MEASURE || !options.mispredicted || !flag_tm)
        return;
    warning(0, "ccprof: with %<-fgnu-tm%> no mispredictions are counted");
    options.mispredicted = false;
}

// Without a named kind, the plugin may come from the default flags of a distribution.
// Then it does nothing where no profile is possible: there is no runtime for 16-bit and
// 32-bit code, nor for kernels, boot loaders and firmware. These are compiled with
// -ffreestanding, and often linked with a script that accepts no unknown section.
static void apply_default(bool kinds_given)
{
    const bool is_freestanding = &flag_hosted && !flag_hosted;

    if (!kinds_given && !options.train &&
        (is_freestanding || POINTER_SIZE != CCPROF_RT_BITS || BYTES_BIG_ENDIAN ||
         compat_is_16_bit()))
        options.profile = OPTIONS_PROFILE_NO;
}

void arguments_parse(const struct plugin_name_args *args)
{
    bool kinds_given = false;

    for (int i = 0; i < args->argc; i++) {
        parse_argument(args->argv[i].key, args->argv[i].value);
        kinds_given |= !strcmp(args->argv[i].key, "profile");
    }
    apply_train(kinds_given);
    check_together();
    apply_transactions();
    apply_default(kinds_given);
}

const char *arguments_help(void)
{
    static char *text;

    if (text)
        return text;
    text = xstrdup("Arguments of ccprof, each as -fplugin-arg-ccprof-NAME[=VALUE]:\n");
    for (const struct argument &a : arguments) {
        if (!a.help)
            continue;
        char left[80];
        snprintf(left, sizeof left, "%s%s%s", a.name, a.values ? "=" : "",
                 a.values ? a.values : "");
        char line[200];
        snprintf(line, sizeof line, "  %-32s %s\n", left, a.help);
        text = reconcat(text, text, line, NULL);
    }
    return text;
}
