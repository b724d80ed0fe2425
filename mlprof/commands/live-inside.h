/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files live*.c, which show a table that is updated (-live). live.c waits
   for data and keys. live-table.c makes the table and draws it. live-keys.c does what
   keys say. The data come from mlprof/live/source.h. */

#ifndef MLPROF_LIVE_INSIDE_H
#define MLPROF_LIVE_INSIDE_H

#include "mlprof/commands/commands.h"
#include "mlprof/live/screen.h"
#include "mlprof/live/source.h"

#define LIVE_TYPED_MOST 128

struct live {
    struct source *source;
    struct screen *screen;
    struct options options; /* those of the command line, as the keys have changed them */
    unsigned span;          /* in seconds; 0: the whole run */
    bool paused, helps, typing;
    char typed[LIVE_TYPED_MOST];  /* the text that is typed after / */
    char filter[LIVE_TYPED_MOST]; /* the pattern that was typed last */
    char *opened;   /* the pattern of the function whose callers are shown, or NULL */
    char *note;     /* for the header, or NULL */
    uint64_t noted; /* when it was set, clock_ms */
    char *told;     /* the last message of a report; it is shown once */
    char *end;      /* why no more data come; NULL: they come */

    /* What is shown. */
    char *text;
    struct show_table table;
    double seconds; /* the time of TEXT; 0: from the start of the run */
    size_t chosen, first,
        back; /* lines below the heads; BACK: the chosen one below the opened view */
};

/* live-table.c. Makes the text again, of the present data and options. If there is
   nothing to show, returns false: the old text stays, and a note says why. */
bool live_print(struct live *live);

void live_draw(struct live *live);

/* Shows NOTE, which may be NULL, at the end of the header for a few seconds; frees it
   later. */
void live_note(struct live *live, char *note);

/* Shows FAULT, and clears it. */
void live_note_fault(struct live *live, struct fault *fault);

/* live-keys.c. Does what KEY, of screen_key, says. Returns false if live ends. */
bool live_act(struct live *live, int key);

#endif
