/* SPDX-License-Identifier: MIT */
/* Constants and structures of the two file formats and of the binary interface between
   plugin, runtime and mlprof. doc/tables.md describes the tables, doc/mlmon.out.5 the
   data file. All three programs include this file. It contains no code. */

#ifndef CCPROF_FORMAT_H
#define CCPROF_FORMAT_H

/* Sections of an object file that hold the tables. They are never loaded into memory. */
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
#define CCPROF_SECTION_MACHINE    ".ccprof.machine"
#define CCPROF_SECTION_REMARKS    ".ccprof.remarks"
#define CCPROF_SECTION_ASKED      ".ccprof.asked"

/* Strings in the section .ccprof.asked: the first three are beginnings of strings, the
   others are whole strings. */
#define CCPROF_ASKED_PATTERN "asked "
#define CCPROF_ASKED_MET     "met "
#define CCPROF_ASKED_LACKS   "lacks "
#define CCPROF_ASKED_LTO     "lto"
#define CCPROF_ASKED_LINKED  "linked"

/* Two sections in memory. For each section, the linker defines __start_NAME and
   __stop_NAME.

   ccprof_cells, in shared objects: the counters of calls, 8 bytes each.

   ccprof_records, in executables, where the counters are thread-local: one record for
   each counter. The low 4 bytes of the record are the counter's offset from the start
   of the module's thread-local block. A negative offset, which some linkers write
   (lld), counts from the thread pointer. */
#define CCPROF_SECTION_CELLS   "ccprof_cells"
#define CCPROF_SECTION_RECORDS "ccprof_records"

/* Versions of the tables. The first one is the oldest version of every table; each
   other constant is the first version of one table that has the named feature. */
#define CCPROF_TABLES_VERSION  1
#define CCPROF_TABLES_NEGATIVE 2 /* counters: counts may be subtracted */
#define CCPROF_TABLES_TERMS    3 /* counters, in a denser form */
#define CCPROF_TABLES_RANGES   2 /* flow graphs whose statements have ranges */
#define CCPROF_TABLES_MISSES   3 /* flow graphs with mispredictions */
#define CCPROF_TABLES_BLOCKS   2 /* arcs, with blocks of indirect calls */
#define CCPROF_TABLES_RETURNED 2 /* types of blocks, with functions that return them */
#define CCPROF_TABLES_CALLS    2 /* machine code, with pairs and calls */
#define CCPROF_UNIT_VERSION    2

/* The extent of a statement in a flow graph, one byte. EXPLICIT in one half of the
   byte means that a number follows. FULL in the whole byte means that the statement
   spans several lines. */
#define CCPROF_EXTENT_EXPLICIT 14
#define CCPROF_EXTENT_FULL     255

/* Size of the MD5 hash of a file, in bytes. */
#define CCPROF_HASH_SIZE 16

/* File name in the tables for source text from standard input. */
#define CCPROF_STDIN "<stdin>"

/* Flags of a source function in a unit. */
enum ccprof_source {
    CCPROF_SOURCE_SYMBOL = 1,
    CCPROF_SOURCE_ARTIFICIAL = 2,
    CCPROF_SOURCE_MADE = 4,
    CCPROF_SOURCE_SPLIT = 8,
    CCPROF_SOURCE_ENTRY = 16
};

/* What GCC did with a loop (doc/tables.md, "Remarks"). */
enum ccprof_remark {
    CCPROF_REMARK_VECTORIZED = 1,
    CCPROF_REMARK_MISSED = 2,
    CCPROF_REMARK_VERSIONED = 3,
    CCPROF_REMARK_UNSEEN = 4,
    CCPROF_REMARK_UNROLLED = 5,
    CCPROF_REMARK_PEELED = 6, /* completely unrolled */
    CCPROF_REMARK_OTHER = 7
};

/* Number of CCPROF_REMARK_MISSED if the reason is the order of floating-point operations.
 */
#define CCPROF_MISSED_ORDER 1

/* Numbers of CCPROF_REMARK_UNSEEN: why the vectorizer did not look at a loop. */
#define CCPROF_UNSEEN_OFF  1
#define CCPROF_UNSEEN_COLD 2

/* Precision of the positions in a unit's functions. */
enum ccprof_position {
    CCPROF_POSITION_NONE = 0,
    CCPROF_POSITION_LINE = 1,
    CCPROF_POSITION_EXPRESSION = 2
};

/* Codes of points. A code below CCPROF_CODE_AGAIN consists of three bit fields. */
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

/* If one half of the byte of CCPROF_SHAPE_RANGE has this value, a number follows,
   which is added to this value. */
#define CCPROF_HALF_EXPLICIT 15

/* Constants of flow graphs: flags of functions (ccprof_flow), kinds of block ends
   (ccprof_branch), flags of edges (ccprof_edge), and labels of a switch (ccprof_case). */
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

/* Flags of a segment of machine code. */
enum ccprof_machine {
    CCPROF_MACHINE_OWN = 1,  /* code of a counter */
    CCPROF_MACHINE_FALLS = 2 /* an edge leads through the bytes before the segment */
};
#define CCPROF_MACHINE_SHIFT 2 /* of the number of the edge */

enum ccprof_case {
    CCPROF_CASE_DEFAULT = 0,
    CCPROF_CASE_VALUE = 1,
    CCPROF_CASE_RANGE = 2
};

/* Values for which GCC's own profile has a histogram: divisors of divisions, divisors
   of unsigned remainders, and sizes of memory blocks. All values above
   CCPROF_LIST_MOST are counted as one value. */
enum ccprof_list {
    CCPROF_LIST_DIVISOR = 0,
    CCPROF_LIST_REMAINDER = 1,
    CCPROF_LIST_SIZE = 2
};
#define CCPROF_LIST_MOST 4096

/* The order in which the functions of a module are first executed is kept in one
   variable for each function. The variable of the Nth function has the value
   CCPROF_FIRST_MOST - N. */
#define CCPROF_FIRST_MOST (1ull << 40)

/* The data file, mlmon.out. */
#define CCPROF_MLMON_MAGIC        "ccprof mlmon"
#define CCPROF_MLMON_VERSION      1
#define CCPROF_MLMON_THREADS      2 /* first version with samples per thread */
#define CCPROF_MLMON_TIMES        3 /* first version with times of samples */
#define CCPROF_MLMON_REGIONS      4 /* first version with regions */
#define CCPROF_MLMON_ORIGIN       5 /* first version with host and rank */
#define CCPROF_MLMON_RESTS        6 /* first version with targets of the remaining calls */
#define CCPROF_MLMON_HEAP         7  /* first version with the heap */
#define CCPROF_MLMON_LIVES        8  /* first version with sampled heap and lifetimes */
#define CCPROF_MLMON_SPANS        9  /* first version with heap over time */
#define CCPROF_MLMON_REACH        10 /* first version with reachable memory */
#define CCPROF_MLMON_INSTRUCTIONS 11 /* first version with this kind */
/* First version with the process, messages and guesses. */
#define CCPROF_MLMON_PROCESS 12
/* First version whose `life' lines have only blocks freed at once and lifetimes. */
#define CCPROF_MLMON_LIFETIMES 13
/* First version with the answers of a running process. */
#define CCPROF_MLMON_ANSWER  14
#define CCPROF_MLMON_WAITS   15 /* first version with waiting */
#define CCPROF_MLMON_LATEST  CCPROF_MLMON_WAITS
#define CCPROF_MLMON_DEFAULT "mlmon.out"

/* Special addresses in a stack, in place of missing frames (mlmon.out(5)). CUT: the
   stack was too deep. BROKEN, only at the outermost point: the unwinder found no
   caller. REPEATED: frames that repeat. GUESSED: none is missing, but the caller of
   the point below was guessed. */
#define CCPROF_POINT_CUT      0
#define CCPROF_POINT_BROKEN   1
#define CCPROF_POINT_REPEATED 2
#define CCPROF_POINT_GUESSED  3

/* The path of a pseudo module for time in the kernel, and its addresses, which say why
   the program was in the kernel. UNKNOWN: reason not known. INTERRUPTED: no system
   call. CALLS + N: system call number N, below CALLS_MOST. */
#define CCPROF_KERNEL             "[kernel]"
#define CCPROF_KERNEL_UNKNOWN     0
#define CCPROF_KERNEL_INTERRUPTED 1
#define CCPROF_KERNEL_CALLS       2
#define CCPROF_KERNEL_CALLS_MOST  1024

/* Maximum number of different names of phases. The names have the numbers below this
   one. */
#define CCPROF_LABELS_MAX 64

/* Lifetime classes of heap blocks. The first class has lifetimes below
   CCPROF_LIVES_LEAST milliseconds. The limit of each further class is ten times the
   limit of the class before it, and the last class has no limit. */
#define CCPROF_LIVES       7
#define CCPROF_LIVES_LEAST 10

/* Why a thread waits: the words of the lines `waiting', and their number. */
#define CCPROF_WAIT_NAMES                                                                \
    {                                                                                    \
        "mutex", "rwlock", "spin", "filelock", "condition", "semaphore", "barrier",      \
            "futex", "join", "openmp", "child", "poll", "accept", "connect", "receive",  \
            "send", "pipe", "device", "file", "sync", "async", "sleep", "signal",        \
            "lookup"                                                                     \
    }
enum ccprof_wait_reason {
    CCPROF_WAIT_MUTEX,
    CCPROF_WAIT_RWLOCK,
    CCPROF_WAIT_SPIN, /* waits while running */
    CCPROF_WAIT_FILELOCK,
    CCPROF_WAIT_CONDITION,
    CCPROF_WAIT_SEMAPHORE,
    CCPROF_WAIT_BARRIER,
    CCPROF_WAIT_FUTEX, /* C++20's atomics, latches and barriers */
    CCPROF_WAIT_JOIN,
    CCPROF_WAIT_OPENMP,
    CCPROF_WAIT_CHILD,
    CCPROF_WAIT_POLL,
    CCPROF_WAIT_ACCEPT,
    CCPROF_WAIT_CONNECT,
    CCPROF_WAIT_RECEIVE, /* from a socket */
    CCPROF_WAIT_SEND,    /* to a socket */
    CCPROF_WAIT_PIPE,
    CCPROF_WAIT_DEVICE, /* terminals and other files that are neither regular nor pipes */
    CCPROF_WAIT_FILE,
    CCPROF_WAIT_SYNC,
    CCPROF_WAIT_ASYNC, /* io_uring and aio */
    CCPROF_WAIT_SLEEP,
    CCPROF_WAIT_SIGNAL,
    CCPROF_WAIT_LOOKUP, /* of names */
    CCPROF_WAITS
};

/* How a wait ended: the words of the lines `waiting'. */
#define CCPROF_WAIT_END_NAMES                                                            \
    {                                                                                    \
        "thread", "outside", "timeout", "open"                                           \
    }
enum ccprof_wait_end {
    CCPROF_WAIT_BY_THREAD, /* a thread of the process ended it */
    CCPROF_WAIT_BY_OUTSIDE,
    CCPROF_WAIT_BY_TIMEOUT,
    CCPROF_WAIT_OPEN, /* it had not ended */
    CCPROF_WAIT_ENDS
};

/* Maximum number of time buckets of the heap. */
#define CCPROF_SPANS 64

/* System calls that sampling needs: the words of the line `refused'. A set of such
   calls is a bit mask; the first name is bit 0. */
#define CCPROF_REFUSED_NAMES                                                             \
    {                                                                                    \
        "clock_gettime", "gettid", "perf_event_open", "fcntl", "ioctl", "timer_create",  \
            "timer_settime"                                                              \
    }
#define CCPROF_REFUSED_COUNT 7

/* Buckets of a region's histogram. Below CCPROF_BUCKET_EXACT each time has its own
   bucket. Above, each doubling of the time has 2^CCPROF_BUCKET_BITS buckets. */
#define CCPROF_BUCKET_BITS  3
#define CCPROF_BUCKET_EXACT 16
#define CCPROF_BUCKETS      336

/* The interface between the stub in an object (rt/attach.c) and the runtime. The
   runtime's entry is

     `void ccprof_rt_attach (const struct ccprof_attach *, const struct ccprof_api **)'.

   A constructor calls it once for each profiled executable or shared object. Both
   arguments point into that object and are valid while it is loaded. The runtime
   stores the address of its table (ccprof.h) through the second argument. */
#define CCPROF_ATTACH_VERSION 3
#define CCPROF_RT_SONAME      "libccprof.so.1"

/* The maximum length of a build ID, in bytes. A longer one is ignored. */
#define CCPROF_BUILD_ID_MAX 64

/* Name and types of the ELF notes (section .note.ccprof_attach) in each profiled
   executable or shared object. */
#define CCPROF_NOTE_NAME    "ccprof"
#define CCPROF_NOTE_ATTACH  1
#define CCPROF_NOTE_CELLS   2
#define CCPROF_NOTE_RECORDS 3
#define CCPROF_NOTE_FIELD   4
#define CCPROF_NOTE_PATH    6
#define CCPROF_NOTE_KIND    7

/* Types of notes for code that finds its thread-local words through a struct
   ccprof_place. A module may contain both forms of code, and then has both forms of
   notes. */
#define CCPROF_NOTE_CELLS_PLACED 8
#define CCPROF_NOTE_PAIRS_PLACED 9
#define CCPROF_NOTE_FIELD_PLACED 10
#define CCPROF_NOTE_PATH_PLACED  11

/* Type of the note in the runtime whose content is the highest version of the protocol
   of requests, a 4-byte number. doc/requests.md describes the protocol. */
#define CCPROF_NOTE_REQUESTS 12

#define CCPROF_REQUEST_VERSION 1
#define CCPROF_REQUEST_SIGNAL  SIGURG

/* The parts of a request, a 64-bit number: the shift of each part, and the values of
   the mark. The deadline is a time in units of 2^UNIT nanoseconds, modulo 2^BITS. */
#define CCPROF_REQUEST_MARK            0xcca5
#define CCPROF_REQUEST_MARK_SHIFT      48
#define CCPROF_REQUEST_VERSION_SHIFT   44
#define CCPROF_REQUEST_OPERATION_SHIFT 40
#define CCPROF_REQUEST_ARGUMENT_SHIFT  24
#define CCPROF_REQUEST_DEADLINE_BITS   24
#define CCPROF_REQUEST_DEADLINE_UNIT   26

enum ccprof_request_operation {
    CCPROF_REQUEST_REPORT = 0,
    CCPROF_REQUEST_SAMPLE = 1, /* argument: seconds, not 0 */
    CCPROF_REQUEST_STOP = 2,
    CCPROF_REQUEST_RATE = 3,  /* argument: samples per second, not 0 */
    CCPROF_REQUEST_TIMES = 4, /* argument: milliseconds; 0: no times */
    CCPROF_REQUEST_HEAP = 5
};

/* The largest numbers of samples per second, and of milliseconds of a bucket of times. */
#define CCPROF_RATE_MOST         10000
#define CCPROF_TIMES_WIDTH_MOST  60000
#define CCPROF_TIMES_WIDTH_USUAL 10 /* times=yes */

/* The name of an answer begins with this word, and an answer that refuses a request
   begins with the other one. */
#define CCPROF_ANSWER_NAME    "ccprof:"
#define CCPROF_ANSWER_REFUSED "refused "

struct ccprof_attach {
    unsigned version; /* CCPROF_ATTACH_VERSION */
    unsigned kind;    /* enum ccprof_kind, of the stub's object */
    int code;         /* distance from this member to the stub's code */
    unsigned size;    /* Size of the stub's code. Notes of 8 bytes lack CODE and SIZE. */
};

/* The content of a note for each kind for which objects of the module were compiled.
   This note is needed because the linker keeps only one of several stubs. */
struct ccprof_kind_note {
    unsigned version; /* CCPROF_ATTACH_VERSION */
    unsigned kind;    /* enum ccprof_kind */
};

/* The content of notes in each module that counts calls: one note for its cells, one
   for its records. All members except VERSION are distances from the member's own
   address:

     START, STOP: to the start and the end of the section.
     HANDLE: to __dso_handle, which identifies a shared object to libc.
     DELTA, in the note for cells: to a function that returns the distance from the
       thread pointer to the module's ccprof_delta. A thread adds ccprof_delta to
       the address of a counter. In notes of code with places, DELTA is the
       distance to the struct ccprof_place of ccprof_delta. */
struct ccprof_counts_note {
    unsigned version; /* CCPROF_ATTACH_VERSION */
    int start, stop, handle, delta, none;
};

/* The content of a note for a word of each thread: ccprof_field in modules of kind
   time-field, ccprof_path in modules of kind alloc that have one. A thread has one
   word of each name, which all modules share. OFFSET is a distance from its own
   address: to a function that returns the distance from the thread pointer to the
   word, or, in code with places, to the word's place. */
struct ccprof_word_note {
    unsigned version; /* CCPROF_ATTACH_VERSION */
    int offset;
};

/* Inclusive counts, in modules compiled with the argument `stack': a *pair* for each
   source. Each thread has a copy of each pair. When a thread enters a source that is
   not on its stack yet, the thread's current total is subtracted from INCLUSIVE. When
   the thread leaves this entry, its total at that time is added. Each critical step
   is one instruction, so that a signal handler may do the same at any moment. */
struct ccprof_pair {
    unsigned long long depth; /* entries of the source on the stack */
    unsigned long long inclusive;
};

/* Of a function in the kind instructions; its pairs follow. An open function is in the
   thread's list, innermost first. In the module's own storage CCPROF_CALLS_MARK is added
   to COUNT, which distinguishes this structure from a pair. */
struct ccprof_calls {
    struct ccprof_pair *next; /* pair of the next function in the list */
    unsigned long long count; /* of the pairs */
};
#define CCPROF_CALLS_MARK (0x5ccfull << 48)

/* The stack of pairs that a thread has entered and not left. An exception or a
   longjmp cuts this stack back. */
struct ccprof_stack_thread {
    struct ccprof_pair **top; /* next free entry */
    /* CCPROF_STACK_ENTRIES before the end of the stack. Null: the runtime does not know
       the thread; then this structure is followed by CCPROF_STACK_ENTRIES entries. */
    struct ccprof_pair **limit;
    unsigned long long total; /* sum of all counts of the thread */
    /* Number of calls of profiled allocators in the thread so far. */
    unsigned long long allocators;
    /* Code compiled for a trace calls this function after entering or leaving a
       source. Null: no trace is written. */
    void (*trace)(struct ccprof_stack_thread *);
    /* Not 0: entries of a function that is still executing were missing. The program
       has switched to another machine stack (swapcontext) without the runtime's
       knowledge. In this case all inclusive counts are wrong. */
    unsigned long long switched;
    /* For the kind instructions: the bounds of the thread's machine stack, and a function
       of the runtime, which changes only general registers that the caller saves. PAIR is
       null: control has arrived, by an exception or a longjmp, at a function whose stack
       pointer is SP. Otherwise SP is what PAIR would get as its depth, but the stack
       pointer is outside of the bounds, or not below the pair's depth. */
    unsigned long long low, high;
    struct ccprof_pair *open; /* the list of open functions */
    void (*settle)(struct ccprof_stack_thread *, struct ccprof_pair *,
                   unsigned long long sp);
    /* The same for indirect calls: called before the call of TARGET, and behind it with
       0. SITE is the pair of the call in the module's own storage, SP what it gets as its
       depth. CALLED is the runtime's. */
    struct ccprof_called *called;
    void (*indirect)(struct ccprof_stack_thread *, const struct ccprof_pair *site,
                     unsigned long long sp, unsigned long long target);
};

/* A function that an indirect call has called. It is like a pair: DEPTH is the stack
   pointer of the outermost call, or 0. */
struct ccprof_called_entry {
    /* The pair of the call in the module's own storage, or 0: a free entry; and the
       function's address. */
    unsigned long long site, target;
    unsigned long long depth;
    unsigned long long start; /* the thread's total there */
    unsigned long long amount, calls;
    unsigned long long amount_taken, calls_taken; /* of these, by the runtime */
    struct ccprof_called_entry *outer;            /* the open entry around this one */
    struct ccprof_called_entry *earlier;          /* the used entry before this one */
};

/* Number of entries, a power of 2. An entry is at the number CCPROF_CALLED_HASH, modulo
   this number, or behind it. */
#define CCPROF_CALLED_ROOM               16384
#define CCPROF_CALLED_HASH(SITE, TARGET) (((SITE) + (TARGET)) >> 4)

struct ccprof_called {
    struct ccprof_called_entry *open; /* the innermost one */
    struct ccprof_called_entry *latest;
    unsigned long used;
    struct ccprof_called_entry entries[CCPROF_CALLED_ROOM];
};

/* Maximum number of sources that one call of ccprof_attach_enter enters. */
#define CCPROF_STACK_ENTRIES 64

/* In the kind instructions a compiled function with calls has a pair for itself and one
   for each call site. Instead of a number, DEPTH is then the stack pointer of the
   outermost activation, 8 bytes below where it was at the start of the function or at the
   call; 0 if there is none. A struct ccprof_calls is before the pairs of a function. */
#define CCPROF_CALLS_FUNCTION 0
#define CCPROF_CALLS_FIRST    1 /* number of the first call's pair */

/* The type of the thread-local variable ccprof_stack_word, which each module with
   pairs has. */
struct ccprof_stack_word {
    struct ccprof_stack_thread *thread;
    unsigned long delta; /* distance from the module's pair to the thread's copy */
};

/* A place: the variable through which code of a shared object finds a thread-local
   word. The place itself is not thread-local, since the loader has little room for
   thread-local storage of libraries that are loaded late. The runtime sets INDEX
   first, then OFFSET.

   A word that all modules share is at the thread pointer plus OFFSET. For a word of
   this module, a pointer is at the thread pointer plus OFFSET, and the struct
   ccprof_stack_word is INDEX bytes after the address in this pointer. (For counters,
   INDEX leads to the member DELTA.)

   While OFFSET is 0 there is no word: reading yields 0, stores are lost, and NONE is
   used as the struct ccprof_stack_word. The code reads OFFSET before INDEX, and reads
   both again after each call, since a fibre may continue in another thread.

   PACKED has both numbers, OFFSET in the lower half and INDEX + 1 in the upper half.
   It is for processors that may read INDEX first and on which 0 is a valid OFFSET. */
struct ccprof_place {
    unsigned long offset, index;
    struct ccprof_stack_word none;
    unsigned long packed;
};

#define CCPROF_PLACE_PACKED(OFFSET, INDEX)                                               \
    (((unsigned long)(OFFSET)&0xffffffff) | ((INDEX) + 1ul) << 32)

/* Space reserved for a place in bytes, so that stores cannot hit other variables. */
#define CCPROF_PLACE_SIZE 64

/* The section of the pairs. Pairs have their own ccprof_counts_note. Its DELTA leads
   to a function that returns the distance from the thread pointer to the thread's
   ccprof_stack_word. Its NONE leads to the ccprof_stack_thread for threads that the
   runtime does not know. */
#define CCPROF_SECTION_PAIRS "ccprof_pairs"
#define CCPROF_NOTE_PAIRS    5

/* The same for pairs of executables in the kind instructions: each thread's struct
   ccprof_stack_word is followed by its struct ccprof_stack_thread. */
#define CCPROF_NOTE_PAIRS_OWN 13

/* Kinds are bits, since a module may be compiled for several kinds. */
enum ccprof_kind {
    CCPROF_KIND_TIME = 1,    /* time-label: the program counter gives the local stack */
    CCPROF_KIND_COUNT = 2,   /* calls of source functions */
    CCPROF_KIND_ALLOC = 4,   /* bytes and blocks allocated */
    CCPROF_KIND_FIELD = 8,   /* time-field: a word of the thread has the local stack */
    CCPROF_KIND_CALL = 16,   /* the program asks for chains of calls */
    CCPROF_KIND_REGION = 32, /* only in data files that contain nothing but regions */
    CCPROF_KIND_INSTRUCTIONS = 64, /* executions of blocks of the machine code */
    CCPROF_KIND_DORMANT = 128, /* no kind: nothing is measured until a request comes */
};

/* Kinds with samples, and kinds with counters. */
#define CCPROF_KINDS_SAMPLED (CCPROF_KIND_TIME | CCPROF_KIND_FIELD)
#define CCPROF_KINDS_COUNTED                                                             \
    (CCPROF_KIND_COUNT | CCPROF_KIND_ALLOC | CCPROF_KIND_INSTRUCTIONS)

/* Kinds that are measured by a run of the runtime, which writes a data file. */
#define CCPROF_KINDS_MEASURED                                                            \
    (CCPROF_KINDS_SAMPLED | CCPROF_KINDS_COUNTED | CCPROF_KIND_REGION)

/* Kinds whose tables give the sources at each address. */
#define CCPROF_KINDS_LABELLED                                                            \
    (CCPROF_KIND_TIME | CCPROF_KIND_CALL | CCPROF_KIND_INSTRUCTIONS)

#endif
