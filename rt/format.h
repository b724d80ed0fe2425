/* SPDX-License-Identifier: MIT */
/* The two written formats and the binary interface that join the three
   programs: constants only, no code.  doc/tables.md describes the tables,
   doc/mlmon.out.5 the data file.  Included by plugin, rt and mlprof.  */

#ifndef CCPROF_FORMAT_H
#define CCPROF_FORMAT_H

/* Sections of an object, never allocated.  */
#define CCPROF_SECTION_STR        ".ccprof.str"
#define CCPROF_SECTION_UNIT       ".ccprof.unit"
#define CCPROF_SECTION_CODE       ".ccprof.code"
#define CCPROF_SECTION_COUNT      ".ccprof.count"
#define CCPROF_SECTION_FLOW       ".ccprof.flow"
#define CCPROF_SECTION_EDGE       ".ccprof.edge"
#define CCPROF_SECTION_ALLOC      ".ccprof.alloc"
#define CCPROF_SECTION_ALLOCATORS ".ccprof.allocators"
#define CCPROF_SECTION_PATHS      ".ccprof.paths"
#define CCPROF_SECTION_INCLUSIVE  ".ccprof.inclusive"
#define CCPROF_SECTION_ASKED      ".ccprof.asked"

/* The strings of that section, or what they begin with.  */
#define CCPROF_ASKED_PATTERN "asked "
#define CCPROF_ASKED_MET     "met "
#define CCPROF_ASKED_LTO     "lto"
#define CCPROF_ASKED_LINKED  "linked"

/* And two in memory, of whose names a linker makes __start_NAME and __stop_NAME.  The
   counters of calls in shared objects, 8 bytes each; and in executables, where the
   counters are thread-local, the offset of each in its low 4 bytes: in the module's
   block, or, if it is negative, from the thread pointer, as some linkers make it (lld).
 */
#define CCPROF_SECTION_CELLS   "ccprof_cells"
#define CCPROF_SECTION_RECORDS "ccprof_records"

#define CCPROF_TABLES_VERSION  1
#define CCPROF_TABLES_NEGATIVE 2 /* of counters whose counts are to be subtracted */
#define CCPROF_TABLES_TERMS    3 /* of counters, in a denser form */
#define CCPROF_TABLES_RANGES   2 /* of flow graphs whose statements have ranges */
#define CCPROF_UNIT_VERSION    2

/* The extent of a statement in a flow graph: for a half that is this more follows; a byte
   in place of both halves for what is not in one line.  */
#define CCPROF_EXTENT_EXPLICIT 14
#define CCPROF_EXTENT_FULL     255

/* Bytes of the MD5 of a file.  */
#define CCPROF_HASH_SIZE 16

/* Sources of a unit.  */
enum ccprof_source {
    CCPROF_SOURCE_SYMBOL = 1,
    CCPROF_SOURCE_ARTIFICIAL = 2,
    CCPROF_SOURCE_MADE = 4,
    CCPROF_SOURCE_SPLIT = 8,
    CCPROF_SOURCE_ENTRY = 16
};

/* How much the code entries of a unit say of positions.  */
enum ccprof_position {
    CCPROF_POSITION_NONE = 0,
    CCPROF_POSITION_LINE = 1,
    CCPROF_POSITION_EXPRESSION = 2
};

/* Codes of the entries: below CCPROF_CODE_AGAIN the three fields.  */
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

/* A half of CCPROF_SHAPE_RANGE that is this is followed by what is to be added.  */
#define CCPROF_HALF_EXPLICIT 15

/* Flows: of the function; what ends a block; of an edge; a label of a switch.  */
enum ccprof_flow {
    CCPROF_FLOW_ARTIFICIAL = 1,
    CCPROF_FLOW_LOCAL = 2,
    CCPROF_FLOW_ADDRESS_TAKEN = 4,
    CCPROF_FLOW_BRANCHES = 8,
    CCPROF_FLOW_ALIASES = 16
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

/* mlmon.out */
#define CCPROF_MLMON_MAGIC   "ccprof mlmon"
#define CCPROF_MLMON_VERSION 1
#define CCPROF_MLMON_THREADS 2 /* the version in which threads are told apart */
#define CCPROF_MLMON_TIMES   3 /* the version in which samples have times */
#define CCPROF_MLMON_REGIONS 4 /* the version with the time of regions */
#define CCPROF_MLMON_ORIGIN  5 /* the version that tells host and rank */
#define CCPROF_MLMON_DEFAULT "mlmon.out"

/* Addresses of points where frames are missing: they were too many; there was no way to
   them, which is so at the outermost one only; they are repeated (mlmon.out(5)).  */
#define CCPROF_POINT_CUT      0
#define CCPROF_POINT_BROKEN   1
#define CCPROF_POINT_REPEATED 2

/* System calls without which there are no samples, by bits from 0 on where they are a
   set; the words of the line `refused'.  */
#define CCPROF_REFUSED_NAMES                                                             \
    {                                                                                    \
        "clock_gettime", "gettid", "perf_event_open", "fcntl", "ioctl", "timer_create",  \
            "timer_settime"                                                              \
    }
#define CCPROF_REFUSED_COUNT 7

/* The buckets of a region's histogram: below CCPROF_BUCKET_EXACT each time has one of its
   own, from there on each doubling has 2^CCPROF_BUCKET_BITS of them.  */
#define CCPROF_BUCKET_BITS  3
#define CCPROF_BUCKET_EXACT 16
#define CCPROF_BUCKETS      336

/* Between the stub in an object (rt/attach.c) and the runtime: the runtime's
   entry is `void ccprof_rt_attach (const struct ccprof_attach *, const struct
   ccprof_api **)`, called from a constructor, once for each executable or shared
   object that is profiled.  Both lie in that object and live as long as it; the
   second one (ccprof.h) is filled in.  */
#define CCPROF_ATTACH_VERSION 3
#define CCPROF_RT_SONAME      "libccprof.so.1"

/* The structure is the content of an ELF note in each profiled executable or
   shared object (section .note.ccprof_attach).  */
#define CCPROF_NOTE_NAME    "ccprof"
#define CCPROF_NOTE_ATTACH  1
#define CCPROF_NOTE_CELLS   2
#define CCPROF_NOTE_RECORDS 3
#define CCPROF_NOTE_FIELD   4
#define CCPROF_NOTE_PATH    6

struct ccprof_attach {
    unsigned version; /* CCPROF_ATTACH_VERSION */
    unsigned kind;    /* enum ccprof_kind */
    int code;         /* from this member to the stub's code, in bytes */
    unsigned size;    /* and the size of that.  Notes of 8 bytes lack both */
};

/* The content of other notes of ccprof, in each module that counts calls: one for its
   storage, one for its records.  But for the version, distances from the members' own
   addresses: to the first and behind the last; to __dso_handle, by which libc knows a
   shared object that can be unloaded; and, if it is storage, to a function that gives
   the distance from a thread's pointer to its ccprof_delta, which is what the thread adds
   to the address of a counter.  */
struct ccprof_counts_note {
    unsigned version; /* CCPROF_ATTACH_VERSION */
    int start, stop, handle, delta, none;
};

/* And in each module of kind time-field, for its ccprof_field, and of kind alloc, for its
   ccprof_path, if it has one: words of which there is one for each thread in the process,
   whatever number of modules have it.  The distance, from the member's own address, to a
   function that gives the distance from a thread's pointer to the module's word.  */
struct ccprof_word_note {
    unsigned version; /* CCPROF_ATTACH_VERSION */
    int offset;
};

/* Inclusive counts, in modules compiled with the switch `stack': a *pair* for each
   source, of which each thread has a copy.  Where a source is entered that is not on the
   thread's stack, what the thread has counted so far is subtracted from INCLUSIVE, and
   where that entry is left what it has counted then is added; each is one instruction
   where it matters, so that a signal's handler may do the same in between.  */
struct ccprof_pair {
    unsigned long long depth; /* how often the source is on the stack */
    unsigned long long inclusive;
};

/* What a thread has entered and not left, so that it can be cut back to what it was.  */
struct ccprof_stack_thread {
    struct ccprof_pair **top; /* where the next one goes */
    struct ccprof_pair *
        *limit;               /* CCPROF_STACK_ENTRIES before the end; null: the thread is
                                 not known, and such a number follows this structure */
    unsigned long long total; /* what it has counted */
    unsigned long long allocators; /* how often it has entered profiled ones */
    /* Called where something was entered or left, from code that was compiled for a
       trace; null: nobody asks for one.  */
    void (*trace)(struct ccprof_stack_thread *);
};

/* How many are entered at one call, at most.  */
#define CCPROF_STACK_ENTRIES 64

/* A thread-local variable of each such module, ccprof_stack_word.  */
struct ccprof_stack_word {
    struct ccprof_stack_thread *thread;
    unsigned long delta; /* from a pair of the module to the thread's */
};

/* The section of the pairs.  They have a ccprof_counts_note of their own, in which DELTA
   leads to a function that gives the distance from a thread's pointer to its
   ccprof_stack_word, and NONE to what a thread that is not known has as its THREAD.  */
#define CCPROF_SECTION_PAIRS "ccprof_pairs"
#define CCPROF_NOTE_PAIRS    5

/* Bits: a module may be of several kinds.  */
enum ccprof_kind {
    CCPROF_KIND_TIME = 1,    /* time-label: the program counter says all */
    CCPROF_KIND_COUNT = 2,   /* calls of source functions */
    CCPROF_KIND_ALLOC = 4,   /* bytes and blocks */
    CCPROF_KIND_FIELD = 8,   /* time-field: a thread's field holds its local stack */
    CCPROF_KIND_CALL = 16,   /* the program asks for its call chain */
    CCPROF_KIND_REGION = 32, /* of data files with nothing but regions */
};

/* What makes a program's samples, and what counters count.  */
#define CCPROF_KINDS_SAMPLED (CCPROF_KIND_TIME | CCPROF_KIND_FIELD)
#define CCPROF_KINDS_COUNTED (CCPROF_KIND_COUNT | CCPROF_KIND_ALLOC)

/* What makes a run of the runtime.  */
#define CCPROF_KINDS_MEASURED                                                            \
    (CCPROF_KINDS_SAMPLED | CCPROF_KINDS_COUNTED | CCPROF_KIND_REGION)

/* What needs tables of what each address means.  */
#define CCPROF_KINDS_LABELLED (CCPROF_KIND_TIME | CCPROF_KIND_CALL)

#endif
