/* SPDX-License-Identifier: MIT */
/* Defines the two written formats and the binary interface that join the three programs:
   constants and structures, no code.  doc/tables.md describes the tables, doc/mlmon.out.5
   the data file.  Included by the plugin, the runtime and mlprof.  */

#ifndef CCPROF_FORMAT_H
#define CCPROF_FORMAT_H

/* Sections of an object, never in the program's memory.  */
#define CCPROF_SECTION_STR        ".ccprof.str"
#define CCPROF_SECTION_UNIT       ".ccprof.unit"
#define CCPROF_SECTION_CODE       ".ccprof.code"
#define CCPROF_SECTION_COUNT      ".ccprof.count"
#define CCPROF_SECTION_FLOW       ".ccprof.flow"
#define CCPROF_SECTION_EDGE       ".ccprof.edge"
#define CCPROF_SECTION_ARCS       ".ccprof.arcs"
#define CCPROF_SECTION_VALUES     ".ccprof.values"
#define CCPROF_SECTION_CALLEES    ".ccprof.callees"
#define CCPROF_SECTION_ALLOC      ".ccprof.alloc"
#define CCPROF_SECTION_ALLOCATORS ".ccprof.allocators"
#define CCPROF_SECTION_PATHS      ".ccprof.paths"
#define CCPROF_SECTION_TYPES      ".ccprof.types"
#define CCPROF_SECTION_INCLUSIVE  ".ccprof.inclusive"
#define CCPROF_SECTION_ASKED      ".ccprof.asked"

/* The strings in the section .ccprof.asked, or their beginnings.  */
#define CCPROF_ASKED_PATTERN "asked "
#define CCPROF_ASKED_MET     "met "
#define CCPROF_ASKED_LACKS   "lacks "
#define CCPROF_ASKED_LTO     "lto"
#define CCPROF_ASKED_LINKED  "linked"

/* Two sections in memory, for whose names NAME the linker makes __start_NAME and
   __stop_NAME.  Cells: the counters of calls in shared objects, 8 bytes each.  Records:
   in executables, where the counters are thread-local, the offset of each counter in the
   low 4 bytes of its record.  The offset counts from the start of the module's block or,
   if it is negative, from the thread pointer, as some linkers write it (lld).  */
#define CCPROF_SECTION_CELLS   "ccprof_cells"
#define CCPROF_SECTION_RECORDS "ccprof_records"

#define CCPROF_TABLES_VERSION  1
#define CCPROF_TABLES_NEGATIVE 2 /* for counters whose counts are subtracted */
#define CCPROF_TABLES_TERMS    3 /* for counters, in a denser form */
#define CCPROF_TABLES_RANGES   2 /* for flow graphs whose statements have ranges */
#define CCPROF_TABLES_MISSES   3 /* for flow graphs whose mispredictions are counted */
#define CCPROF_TABLES_BLOCKS   2 /* for arcs, where calls by a pointer have blocks */
#define CCPROF_TABLES_RETURNED 2 /* for types of blocks, and who returns them */
#define CCPROF_UNIT_VERSION    2

/* The extent of a statement in a flow graph.  EXPLICIT in one half of the byte: a number
   follows.  FULL in place of both halves: the statement is not in one line.  */
#define CCPROF_EXTENT_EXPLICIT 14
#define CCPROF_EXTENT_FULL     255

/* Bytes of the MD5 hash of a file.  */
#define CCPROF_HASH_SIZE 16

/* The name of the file that is standard input.  */
#define CCPROF_STDIN "<stdin>"

/* Flags of a source in a unit.  */
enum ccprof_source {
    CCPROF_SOURCE_SYMBOL = 1,
    CCPROF_SOURCE_ARTIFICIAL = 2,
    CCPROF_SOURCE_MADE = 4,
    CCPROF_SOURCE_SPLIT = 8,
    CCPROF_SOURCE_ENTRY = 16
};

/* How much the points in a unit's functions tell of positions.  */
enum ccprof_position {
    CCPROF_POSITION_NONE = 0,
    CCPROF_POSITION_LINE = 1,
    CCPROF_POSITION_EXPRESSION = 2
};

/* Codes of points.  A code below CCPROF_CODE_AGAIN has three fields.  */
#define CCPROF_CODE_COPY          1
#define CCPROF_CODE_SHAPE_SHIFT   1
#define CCPROF_CODE_SHAPE_MASK    3
#define CCPROF_CODE_LINE_SHIFT    3
#define CCPROF_CODE_LINE_BIAS     2
#define CCPROF_CODE_LINE_EXPLICIT 7
#define CCPROF_CODE_AGAIN         64

enum ccprof_shape {
    CCPROF_SHAPE_UNKNOWN = 0,
    CCPROF_SHAPE_PLACE = 1,
    CCPROF_SHAPE_RANGE = 2,
    CCPROF_SHAPE_FULL = 3
};

/* In a half of the byte of CCPROF_SHAPE_RANGE: a number to be added follows.  */
#define CCPROF_HALF_EXPLICIT 15

/* Flags of a function's flow graph, the ends of blocks, flags of edges, and the labels of
   a switch.  */
enum ccprof_flow {
    CCPROF_FLOW_ARTIFICIAL = 1,
    CCPROF_FLOW_LOCAL = 2,
    CCPROF_FLOW_ADDRESS_TAKEN = 4,
    CCPROF_FLOW_BRANCHES = 8,
    CCPROF_FLOW_ALIASES = 16,
    CCPROF_FLOW_ENTRY = 32,
    CCPROF_FLOW_PREDICTED = 64
};

enum ccprof_branch {
    CCPROF_BRANCH_NONE = 0,
    CCPROF_BRANCH_CONDITION = 1,
    CCPROF_BRANCH_SWITCH = 2,
    CCPROF_BRANCH_SWITCH_UNSIGNED = 3
};

enum ccprof_edge {
    CCPROF_EDGE_COUNTER = 1,
    CCPROF_EDGE_FAKE = 2,
    CCPROF_EDGE_FALLTHROUGH = 4,
    CCPROF_EDGE_EXCEPTION = 8,
    CCPROF_EDGE_ABNORMAL = 16,
    CCPROF_EDGE_TRUE = 32,
    CCPROF_EDGE_FALSE = 64,
    CCPROF_EDGE_CASES = 128
};

enum ccprof_case {
    CCPROF_CASE_DEFAULT = 0,
    CCPROF_CASE_VALUE = 1,
    CCPROF_CASE_RANGE = 2
};

/* What GCC wants to know the frequent values of: the divisor of a division, or of an
   unsigned remainder, or the size of a block of memory; and the value that stands for all
   larger ones.  */
enum ccprof_list {
    CCPROF_LIST_DIVISOR = 0,
    CCPROF_LIST_REMAINDER = 1,
    CCPROF_LIST_SIZE = 2
};
#define CCPROF_LIST_MOST 4096

/* What a variable has counted that tells which function of its module was executed as
   the Nth: this, less N.  */
#define CCPROF_FIRST_MOST (1ull << 40)

/* The data file, mlmon.out.  */
#define CCPROF_MLMON_MAGIC   "ccprof mlmon"
#define CCPROF_MLMON_VERSION 1
#define CCPROF_MLMON_THREADS 2 /* first version that tells threads apart */
#define CCPROF_MLMON_TIMES   3 /* first version with times of samples */
#define CCPROF_MLMON_REGIONS 4 /* first version with the time of regions */
#define CCPROF_MLMON_ORIGIN  5 /* first version with host and rank */
#define CCPROF_MLMON_RESTS   6 /* first version with targets of the remaining calls */
#define CCPROF_MLMON_HEAP    7 /* first version with the heap */
#define CCPROF_MLMON_LIVES   8 /* first version with samples of the heap, and lifetimes */
#define CCPROF_MLMON_SPANS   9 /* first version with the heap over time, and its slices */
#define CCPROF_MLMON_REACH   10 /* first version with what of the heap can be reached */
#define CCPROF_MLMON_DEFAULT "mlmon.out"

/* Addresses that stand for missing frames: cut off, since there were too many; broken,
   where the unwinder found no caller (at the outermost point only); repeated
   (mlmon.out(5)).  */
#define CCPROF_POINT_CUT      0
#define CCPROF_POINT_BROKEN   1
#define CCPROF_POINT_REPEATED 2

/* The path of the module that stands for the kernel, and why the program was there, in
   place of an address: not known; no system call; from CALLS on, the system call with the
   number from 0 on, below CALLS_MOST.  */
#define CCPROF_KERNEL             "[kernel]"
#define CCPROF_KERNEL_UNKNOWN     0
#define CCPROF_KERNEL_INTERRUPTED 1
#define CCPROF_KERNEL_CALLS       2
#define CCPROF_KERNEL_CALLS_MOST  1024

/* How many names phases have at most, whose numbers are less.  */
#define CCPROF_LABELS_MAX 64

/* How long blocks of the heap were alive: the classes, of which each but the last ends at
   ten times the milliseconds of the one before.  */
#define CCPROF_LIVES       7
#define CCPROF_LIVES_LEAST 10

/* The most buckets of time of the heap.  */
#define CCPROF_SPANS 64

/* System calls without which there are no samples: the words of the line `refused'.  In a
   set of them, the first one is bit 0.  */
#define CCPROF_REFUSED_NAMES                                                             \
    {                                                                                    \
        "clock_gettime", "gettid", "perf_event_open", "fcntl", "ioctl", "timer_create",  \
            "timer_settime"                                                              \
    }
#define CCPROF_REFUSED_COUNT 7

/* The buckets of a region's histogram.  Below CCPROF_BUCKET_EXACT each time has its own
   bucket; above, each doubling of time has 2^CCPROF_BUCKET_BITS buckets.  */
#define CCPROF_BUCKET_BITS  3
#define CCPROF_BUCKET_EXACT 16
#define CCPROF_BUCKETS      336

/* The interface between the stub in an object (rt/attach.c) and the runtime.  The
   runtime's entry is `void ccprof_rt_attach (const struct ccprof_attach *, const struct
   ccprof_api **)'.  A constructor calls it once for each profiled executable or shared
   object.  Both arguments point into that object and are valid as long as it is loaded;
   the runtime fills in the second one (ccprof.h).  */
#define CCPROF_ATTACH_VERSION 3
#define CCPROF_RT_SONAME      "libccprof.so.1"

/* The content of an ELF note (section .note.ccprof_attach) in each profiled executable or
   shared object.  */
#define CCPROF_NOTE_NAME    "ccprof"
#define CCPROF_NOTE_ATTACH  1
#define CCPROF_NOTE_CELLS   2
#define CCPROF_NOTE_RECORDS 3
#define CCPROF_NOTE_FIELD   4
#define CCPROF_NOTE_PATH    6
#define CCPROF_NOTE_KIND    7

/* The same for code that finds its words by a struct ccprof_place.  A module may have
   both kinds of code, and so both notes.  */
#define CCPROF_NOTE_CELLS_PLACED 8
#define CCPROF_NOTE_PAIRS_PLACED 9
#define CCPROF_NOTE_FIELD_PLACED 10
#define CCPROF_NOTE_PATH_PLACED  11

struct ccprof_attach {
    unsigned version; /* CCPROF_ATTACH_VERSION */
    unsigned kind;    /* enum ccprof_kind, of the object whose stub this is */
    int code;         /* distance in bytes from this member to the stub's code */
    unsigned size; /* Bytes of the stub's code.  Notes of 8 bytes lack CODE and SIZE.  */
};

/* The content of a note for each kind that objects of the module were compiled for: of
   several stubs the linker keeps one.  */
struct ccprof_kind_note {
    unsigned version; /* CCPROF_ATTACH_VERSION */
    unsigned kind;    /* enum ccprof_kind */
};

/* The content of further notes of ccprof, in each module that counts calls: one for its
   cells, one for its records.  All members but the version are distances from the
   member's own address: to the start and the end of the section; to __dso_handle, by
   which libc knows a shared object that can be unloaded; and, in the note for cells, to a
   function that returns the distance from a thread's pointer to the module's
   ccprof_delta, which a thread adds to the address of a counter.  In the notes of code
   with places, DELTA is the distance to the place of this word.  */
struct ccprof_counts_note {
    unsigned version; /* CCPROF_ATTACH_VERSION */
    int start, stop, handle, delta, none;
};

/* The content of the note for a word of each thread: ccprof_field in modules of kind
   time-field, ccprof_path in modules of kind alloc, if they have one.  A thread has one
   word of each name, however many modules have it.  OFFSET is the distance from its own
   address to a function that returns the distance from a thread's pointer to the module's
   word; or, for code with places, to the word's place.  */
struct ccprof_word_note {
    unsigned version; /* CCPROF_ATTACH_VERSION */
    int offset;
};

/* Inclusive counts, in modules compiled with the argument `stack': a *pair* for each
   source.  Each thread has a copy of each pair.  When a thread enters a source that is
   not on its stack, what the thread has counted so far is subtracted from INCLUSIVE; when
   the thread leaves this entry, what it has counted by then is added.  Each step that
   matters is one instruction, so that a signal's handler may do the same in between.  */
struct ccprof_pair {
    unsigned long long depth; /* how often the source is on the stack */
    unsigned long long inclusive;
};

/* The pairs that a thread has entered and not left, as a stack, so that it can be cut
   back.  */
struct ccprof_stack_thread {
    struct ccprof_pair **top; /* next free entry */
    struct ccprof_pair *
        *limit; /* CCPROF_STACK_ENTRIES before the end; null: the runtime does not know
                   the thread, and this many entries follow */
    unsigned long long total; /* what the thread has counted */
    /* How often the thread has entered profiled allocators.  */
    unsigned long long allocators;
    /* Called after entering or leaving a source, by code compiled for a trace; null: no
       trace is wanted.  */
    void (*trace)(struct ccprof_stack_thread *);
    /* Not 0: a function found that what it had entered was left: another machine stack
       was used meanwhile, and the runtime was not told (swapcontext).  Then no inclusive
       count is right.  */
    unsigned long long switched;
};

/* The most sources that one call of ccprof_attach_enter enters.  */
#define CCPROF_STACK_ENTRIES 64

/* A thread-local variable, ccprof_stack_word, of each module with pairs.  */
struct ccprof_stack_word {
    struct ccprof_stack_thread *thread;
    unsigned long delta; /* distance from a pair of the module to the thread's copy */
};

/* Where the code of a shared object finds a word of the thread.  It is a variable of the
   module and not thread-local: a loader has room for few words of libraries that are
   loaded late.  The runtime sets OFFSET, after INDEX.

   A word that all modules share is OFFSET bytes behind the thread's pointer.  For a word
   of the module's own, a pointer is there; INDEX bytes behind what it points to is a
   struct ccprof_stack_word (INDEX leads to DELTA in it, where it is counters that the
   module counts with).  While OFFSET is 0 there is no word: what is read is 0, and what
   is stored is lost; instead of a struct ccprof_stack_word there is NONE.  The code reads
   OFFSET before INDEX, and both again after each call, since a fibre may go on in another
   thread.

   Processors that may read INDEX first, and on which OFFSET may be 0 where there is a
   word, have both in PACKED: OFFSET in the lower half, INDEX + 1 in the upper one.  */
struct ccprof_place {
    unsigned long offset, index;
    struct ccprof_stack_word none;
    unsigned long packed;
};

#define CCPROF_PLACE_PACKED(OFFSET, INDEX)                                               \
    (((unsigned long)(OFFSET)&0xffffffff) | ((INDEX) + 1ul) << 32)

/* Bytes that a place takes, so that nothing is written beside it.  */
#define CCPROF_PLACE_SIZE 64

/* The section of the pairs.  They have their own ccprof_counts_note, in which DELTA leads
   to a function that returns the distance from a thread's pointer to its
   ccprof_stack_word, and NONE leads to the THREAD of a thread that the runtime does not
   know.  */
#define CCPROF_SECTION_PAIRS "ccprof_pairs"
#define CCPROF_NOTE_PAIRS    5

/* Bits, since a module may be of several kinds.  */
enum ccprof_kind {
    CCPROF_KIND_TIME = 1,    /* time-label: the program counter tells the local stack */
    CCPROF_KIND_COUNT = 2,   /* calls of source functions */
    CCPROF_KIND_ALLOC = 4,   /* bytes and blocks */
    CCPROF_KIND_FIELD = 8,   /* time-field: a thread's field holds its local stack */
    CCPROF_KIND_CALL = 16,   /* the program asks for its chain of calls */
    CCPROF_KIND_REGION = 32, /* only in data files that have nothing but regions */
};

/* The kinds whose programs are sampled, and those whose programs have counters.  */
#define CCPROF_KINDS_SAMPLED (CCPROF_KIND_TIME | CCPROF_KIND_FIELD)
#define CCPROF_KINDS_COUNTED (CCPROF_KIND_COUNT | CCPROF_KIND_ALLOC)

/* The kinds whose programs need a run of the runtime.  */
#define CCPROF_KINDS_MEASURED                                                            \
    (CCPROF_KINDS_SAMPLED | CCPROF_KINDS_COUNTED | CCPROF_KIND_REGION)

/* The kinds whose programs need tables that tell what each address means.  */
#define CCPROF_KINDS_LABELLED (CCPROF_KIND_TIME | CCPROF_KIND_CALL)

#endif
