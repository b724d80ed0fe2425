/* SPDX-License-Identifier: MIT */
/* Unwinds and symbolizes the calling thread's stack.  Owns nothing: each call works in
   its own pages, since the thread's stack may be small.  */

#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "rt/symbolize/chain.h"
#include "rt/os/lock.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"
#include "rt/unwind/unwind.h"
#include "rt/symbolize/chain-modules.h"

/* Frames of machine code that are shown at each end of a stack.  */
#define CHAIN_END 512

/* No stack has more frames.  */
#define CHAIN_MOST (1u << 26)

#define CHAIN_TEXT 4096

/* Stands in the place of an address for the frame of a signal.  */
#define CHAIN_SIGNAL 1

struct chain {
    struct ccprof_unwind unwind;
    struct ccprof_pages room; /* room for ccprof_symbolize_find */

    /* What to do with an address, and with a source function.  They return false if no
       more are wanted.  */
    bool (*take)(struct chain *chain, uint64_t address);
    bool (*put)(struct chain *chain, const struct ccprof_frame *frame);

    /* For a capture: where the frames go.  */
    char *frames;
    int room_left, count;
    unsigned long size;

    /* For a text: the text, and the addresses of the innermost and the outermost
       frames.  */
    struct ccprof_text text;
    uint64_t inner[CHAIN_END], outer[CHAIN_END];
    uint32_t addresses;
    char buffer[CHAIN_TEXT];
};

static struct chain *chain_make(void)
{
    struct ccprof_pages buffer;
    return ccprof_pages_make(&buffer, sizeof(struct chain)) ? (void *)buffer.at : NULL;
}

static void chain_free(struct chain *chain)
{
    struct ccprof_pages buffer = {(void *)chain, sizeof *chain};
    ccprof_pages_free(&chain->room);
    ccprof_pages_free(&buffer);
}

/* Whether a frame is a signal's is known only after the step to its caller.  */
static void chain_walk(struct chain *chain, const void *context, bool caller)
{
    struct ccprof_unwind *unwind = &chain->unwind;
    uint64_t address;
    bool more;

    ccprof_chain_modules_frames();
    ccprof_unwind_start(unwind, context);
    if (caller && !ccprof_unwind_step(unwind))
        return;
    address = unwind->exact ? unwind->pc : unwind->pc - 1;
    for (uint32_t i = 0; i < CHAIN_MOST; i++) {
        more = ccprof_unwind_step(unwind) ||
               (i == 0 && !caller && ccprof_unwind_undo_call(unwind));
        if (!chain->take(chain, more && unwind->exact ? CHAIN_SIGNAL : address) || !more)
            return;
        address = unwind->exact ? unwind->pc : unwind->pc - 1;
    }
}

/* The context of chain_found.  */
struct chain_visit {
    struct chain *chain;
    struct ccprof_frame *frame;
    bool go_on;
};

static bool chain_found(void *context, const struct ccprof_symbolize_frame *found)
{
    struct chain_visit *visit = context;
    struct ccprof_frame *frame = visit->frame;

    frame->function = found->name;
    frame->file = found->file;
    frame->line = found->line;
    frame->column = found->column;
    frame->inlined = found->inlined;
    visit->go_on = visit->chain->put(visit->chain, frame);
    return visit->go_on;
}

static bool chain_signal(struct chain *chain)
{
    const struct ccprof_frame frame = {.function = "<signal>"};
    return chain->put(chain, &frame);
}

/* Puts the source functions at the address; returns false if no more are wanted.  */
static bool chain_resolve(struct chain *chain, uint64_t address)
{
    struct ccprof_chain_module module;
    struct ccprof_frame frame = {.address = (const void *)(uintptr_t)address};
    struct chain_visit visit = {chain, &frame, true};
    const struct ccprof_symbolizer *symbolizer;

    if (address == CHAIN_SIGNAL)
        return chain_signal(chain);
    ccprof_chain_modules_find(address, &module);
    if (module.own)
        return true;
    frame.module = module.path;
    frame.offset = module.offset;
    symbolizer = ccprof_chain_modules_symbolizer(module.number);
    if (symbolizer && ccprof_symbolize_find(symbolizer, module.offset, &chain->room,
                                            chain_found, &visit))
        return visit.go_on;
    frame.function = ccprof_chain_modules_symbol(module.number, module.offset);
    return chain->put(chain, &frame);
}

static bool chain_fill(struct chain *chain, const struct ccprof_frame *frame)
{
    char *to = chain->frames + (unsigned long)chain->count * chain->size;
    size_t size = chain->size < sizeof *frame ? chain->size : sizeof *frame;

    memset(to, 0, chain->size);
    memcpy(to, frame, size);
    chain->count++;
    return --chain->room_left > 0;
}

int ccprof_chain_capture(const void *context, bool caller, struct ccprof_frame *frames,
                         int room, unsigned long size)
{
    int saved = errno, count;
    struct chain *chain = room > 0 ? chain_make() : NULL;

    if (!chain)
        return 0;
    chain->frames = (char *)frames;
    chain->room_left = room;
    chain->size = size;
    chain->take = chain_resolve;
    chain->put = chain_fill;
    chain_walk(chain, context, caller);
    count = chain->count;
    chain_free(chain);
    errno = saved;
    return count;
}

/* Writes control characters as codes, so that no name breaks a line.  */
static void chain_clean(struct ccprof_text *text, const char *name)
{
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (c >= ' ' && c != 0x7f) {
            ccprof_text_char(text, *name);
        } else {
            ccprof_text_string(text, "\\x");
            ccprof_text_bytes(text, &c, 1);
        }
    }
}

static void chain_line(struct ccprof_text *text, const struct ccprof_frame *frame)
{
    ccprof_text_string(text, "  ");
    chain_clean(text, frame->file);
    if (frame->line) {
        ccprof_text_string(text, ": ");
        ccprof_text_decimal(text, frame->line);
    }
    if (frame->column) {
        ccprof_text_char(text, '.');
        ccprof_text_decimal(text, frame->column);
    }
}

/* Writes the module and the address, where the source is unknown.  */
static void chain_offset(struct ccprof_text *text, const struct ccprof_frame *frame)
{
    ccprof_text_string(text, "  (");
    if (frame->module) {
        chain_clean(text, frame->module);
        ccprof_text_char(text, '+');
    }
    ccprof_text_hex(text, frame->offset);
    ccprof_text_char(text, ')');
}

static bool chain_print(struct chain *chain, const struct ccprof_frame *frame)
{
    struct ccprof_text *text = &chain->text;

    chain_clean(text, frame->function ? frame->function : "?");
    if (frame->file)
        chain_line(text, frame);
    else if (frame->address)
        chain_offset(text, frame);
    ccprof_text_char(text, '\n');
    return text->error == 0;
}

static bool chain_keep(struct chain *chain, uint64_t address)
{
    uint32_t i = chain->addresses++;

    if (i < CHAIN_END)
        chain->inner[i] = address;
    else
        chain->outer[i % CHAIN_END] = address;
    return true;
}

static void chain_left_out(struct ccprof_text *text, uint32_t count)
{
    ccprof_text_string(text, "... (");
    ccprof_text_decimal(text, count);
    ccprof_text_string(text, " calls left out)\n");
}

static void chain_print_kept(struct chain *chain)
{
    uint32_t count = chain->addresses, i = 0;

    for (; i < count && i < CHAIN_END; i++)
        if (!chain_resolve(chain, chain->inner[i]))
            return;
    if (count > 2 * CHAIN_END) {
        i = count - CHAIN_END;
        chain_left_out(&chain->text, i - CHAIN_END);
    }
    for (; i < count; i++)
        if (!chain_resolve(chain, chain->outer[i % CHAIN_END]))
            return;
}

int ccprof_chain_write(const void *context, bool caller, const struct ccprof_file *file)
{
    int saved = errno, error;
    struct chain *chain = chain_make();
    struct ccprof_blocked blocked;

    if (!chain)
        return ENOMEM;
    ccprof_text_open(&chain->text, chain->buffer, sizeof chain->buffer, file);
    chain->take = chain_keep;
    chain->put = chain_print;
    ccprof_blocked_begin(&blocked);
    ccprof_blocked_write(&blocked);
    chain_walk(chain, context, caller);
    chain_print_kept(chain);
    error = ccprof_text_flush(&chain->text);
    ccprof_blocked_end(&blocked);
    chain_free(chain);
    errno = saved;
    return error;
}

void ccprof_chain_attach(const void *address, struct ccprof_modules *run)
{
    ccprof_chain_modules_attach(address, run);
}
