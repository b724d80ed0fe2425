// SPDX-License-Identifier: GPL-3.0-or-later
// GCC writes the messages of a pass to the stream of -fopt-info, if the pass has one. For
// the passes over loops, this module installs a stream that ends here (GCC: dumpfile.cc,
// dump_start). The stream is installed before each run of a pass, and GCC closes it after
// the run. If the user's -fopt-info has a stream for the pass, it is left alone, and the
// pass has no remarks.
//
// A message is a line `FILE:LINE:COLUMN: KIND: TEXT'. It does not say in which copy the
// loop is. For the vectorizer, vect_location says it. For the other passes loops_at_place
// finds the loop.

#include "plugin/gcc/compat.h"
#include "plugin/remarks/loops.h"

#include <ctype.h>

// Set in alt_filename of GCC's description of a pass. GCC opens this file only if there
// is no stream, which does not happen.
#define STREAM_NAME "/dev/null"

namespace
{
enum message_kind { MESSAGE_NONE, MESSAGE_NOTE, MESSAGE_MISSED, MESSAGE_OPTIMIZED };

struct message {
    enum message_kind kind;
    char *file; // ends with NUL, like TEXT
    unsigned line, column;
    char *text;
};
} // namespace

// The pass that is running.
static struct {
    struct dump_file_info *info;
    bool vectorizer;
    char *text; // an incomplete line
    size_t length, room;
    // The loop that the vectorizer is looking at.
    location_t location;
    unsigned loop; // 0: unknown
} running;

static const struct {
    const char *name;
    enum message_kind kind;
} kinds[] = {{": note: ", MESSAGE_NOTE},
             {": missed: ", MESSAGE_MISSED},
             {": optimized: ", MESSAGE_OPTIMIZED}};

// Reads the number after the last colon of TEXT, and cuts TEXT off there. Returns false
// if there is no number.
static bool cut_number(char *text, unsigned *number)
{
    char *colon = strrchr(text, ':');

    if (!colon || !ISDIGIT(colon[1]))
        return false;
    *number = (unsigned)strtoul(colon + 1, NULL, 10);
    *colon = 0;
    return true;
}

// Splits LINE, which is changed.
static bool split_line(char *line, struct message *message)
{
    for (const auto &kind : kinds) {
        char *match = strstr(line, kind.name);
        if (!match)
            continue;
        message->kind = kind.kind;
        message->text = match + strlen(kind.name);
        while (*message->text == ' ')
            message->text++;
        *match = 0;
        message->file = line;
        return cut_number(line, &message->column) && cut_number(line, &message->line);
    }
    return false;
}

// Adds what a message about a success says. Changes TEXT.
static void tell_success(unsigned loop, char *text)
{
    static const char count[] = " (header execution count";
    unsigned number = 0;

    // Equal texts are stored once.
    if (char *match = strstr(text, count))
        *match = 0;
    if (sscanf(text, "loop vectorized using %u byte vectors", &number) == 1 ||
        startswith(text, "loop vectorized"))
        loops_remark(loop, CCPROF_REMARK_VECTORIZED, number, 0, text, NULL);
    else if (strstr(text, "versioned for vectorization"))
        loops_remark(loop, CCPROF_REMARK_VERSIONED, 0, 0, text, NULL);
    else if (sscanf(text, "loop with %u iterations completely unrolled", &number) == 1 ||
             strstr(text, "completely unrolled"))
        loops_remark(loop, CCPROF_REMARK_PEELED, number, 0, text, NULL);
    else if (sscanf(text, "loop unrolled %u times", &number) == 1)
        loops_remark(loop, CCPROF_REMARK_UNROLLED, number + 1, 0, text, NULL);
    else if (!startswith(text, "loop turned into non-loop") &&
             !startswith(text, "basic block part"))
        loops_remark(loop, CCPROF_REMARK_OTHER, 0, 0, text, NULL);
}

static void take_vectorizer(const struct message *message)
{
    location_t location = vect_location.get_location_t();

    if (LOCATION_LOCUS(location) <= BUILTINS_LOCATION)
        return;
    if (location != running.location) {
        running.location = location;
        running.loop = loops_at(location);
        reasons_start();
    }
    if (!running.loop)
        return;
    if (message->kind == MESSAGE_NOTE) {
        if (startswith(message->text, "***** Analysis") &&
            strstr(message->text, "failed"))
            reasons_end_length();
        else if (startswith(message->text, "=== analyze_loop_nest"))
            reasons_start();
    } else if (message->kind == MESSAGE_OPTIMIZED) {
        tell_success(running.loop, message->text);
    } else if (startswith(message->text, "couldn't vectorize loop")) {
        reasons_tell(running.loop);
    } else {
        reasons_add(message->text, message->line);
    }
}

static void take_line(char *line)
{
    struct message message = {};

    if (!split_line(line, &message))
        return;
    if (running.vectorizer) {
        take_vectorizer(&message);
    } else if (message.kind == MESSAGE_OPTIMIZED) {
        unsigned loop = loops_at_place(message.file, message.line, message.column);
        if (loop)
            tell_success(loop, message.text);
    }
}

// Receives the bytes of the messages.
static ssize_t take_bytes(void *, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (running.length + 1 >= running.room) {
            running.room = 2 * running.room + 100;
            running.text = XRESIZEVEC(char, running.text, running.room);
        }
        if (bytes[i] != '\n') {
            running.text[running.length++] = bytes[i];
            continue;
        }
        running.text[running.length] = 0;
        running.length = 0;
        take_line(running.text);
    }
    return (ssize_t)size;
}

// Called when GCC closes the stream after the pass.
static int end_pass(void *)
{
    if (running.vectorizer)
        loops_end_vectorizer();
    running.info->alt_filename = NULL;
    running.info->alt_flags = TDF_NONE;
    running.info->alt_state = 0;
    running.info = NULL;
    return 0;
}

static bool is_followed(const opt_pass *pass)
{
    static const char *const names[] = {"vect",   "cunroll",  "cunrolli",
                                        "ldist",  "unswitch", "linterchange",
                                        "lsplit", "parloops", "ljam"};

    if (pass->type != GIMPLE_PASS || pass->static_pass_number <= 0)
        return false;
    for (const char *name : names)
        if (!strcmp(pass->name, name))
            return true;
    return false;
}

// Called before each run of a pass.
static void start_pass(void *data, void *)
{
    const opt_pass *pass = (const opt_pass *)data;
    static const cookie_io_functions_t functions = {NULL, take_bytes, NULL, end_pass};

    if (!cfun || !is_followed(pass) || running.info)
        return;
    loops_record();
    if (!current_loops || number_of_loops(cfun) <= 1)
        return;
    struct dump_file_info *info =
        g->get_dumps()->get_dump_file_info(pass->static_pass_number);
    if (!info || info->alt_filename || info->alt_stream)
        return;
    FILE *stream = fopencookie(NULL, "w", functions);
    if (!stream)
        return;
    setvbuf(stream, NULL, _IOLBF, BUFSIZ);
    running.info = info;
    running.vectorizer = !strcmp(pass->name, "vect");
    running.length = 0;
    running.location = UNKNOWN_LOCATION;
    running.loop = 0;
    info->alt_filename = STREAM_NAME;
    info->alt_stream = stream;
    info->alt_flags = MSG_OPTIMIZED_LOCATIONS | MSG_ALL_PRIORITIES;
    if (running.vectorizer)
        info->alt_flags |= MSG_MISSED_OPTIMIZATION | MSG_NOTE;
    info->alt_state = 1;
}

void messages_register(const char *plugin)
{
    register_callback(plugin, PLUGIN_PASS_EXECUTION, start_pass, NULL);
}
