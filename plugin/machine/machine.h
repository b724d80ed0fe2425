/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine: counts the executions of the machine code's own blocks, for the kind
   instructions. Only plugin/ccprof.cc calls this room.

   When the machine code is finished, counters are added between its instructions.
   Nothing else in the code changes, so the other instructions are those of the plain
   build, and are executed as often. The tables (doc/tables.md, "Machine code") say which
   edge of the flow graph each instruction belongs to.

     - machine-graph.cc builds the flow graph and chooses the edges that get counters.
     - machine-places.cc knows where code can be put, and which registers it may change.
     - machine-loops.cc finds registers that are counters during a loop.
     - machine-code.cc makes insns of the processor's code.
     - machine-insert.cc is the first pass. It inserts the code of the counters.
     - machine-calls.cc inserts code at calls, for inclusive instructions.
     - machine-segments.cc is the second pass, and writes the tables.
     - machine-amounts.cc finds how many instructions each edge adds to a thread's total.
     - machine_code-NAME.cc has the instructions of a counter on the processor NAME. */

#ifndef CCPROF_MACHINE_H
#define CCPROF_MACHINE_H

#include "plugin/tables/encode.h"

struct frequencies;

/* Called at the end of the unit: machine_emit writes where the tables find the counters,
   machine_calls_emit the pairs of inclusive instructions. UNIT is not used. */
void machine_emit(const char *unit);
void machine_calls_emit(const char *unit);

/* The rest of this header is for the files of this room. */

struct machine_code;

/* The registers that hold no value at a place, by number, and whether the flags hold
   none. */
struct machine_free {
    uint64_t registers;
    bool flags;
};

/* The registers, by number, that the insns of a basic block neither read nor change.
   UNTOUCHED ones hold no value anywhere in it, and IDLE ones may hold the value of a
   variable. machine-graph.cc fills an array of these, by index of the basic block. */
struct machine_unused {
    uint64_t untouched, idle;
};

/* A loop of the current function. A counter can be in a register during a *quiet* loop:
   nothing in the loop may read counters or leave the function, and code can be put on
   the edges into and out of the loop. A register that holds a value is *lent* to the
   counter: the value is in the stack's red zone during the loop. */
struct machine_loop {
    bool quiet;
    struct machine_unused unused; /* by insns of the loop and by counters */
    uint64_t reserved;            /* registers that are counters during the loop */
    double crossings;             /* frequency of the edges into and out of the loop */
};

/* A counter that is in a register during a loop. */
struct machine_register {
    size_t number; /* of the edge in the graph */
    unsigned reg;
    int slot; /* in the red zone; -1: the register is not lent */
    class loop *loop;
};

/* The places for values in the red zone, by register. A register has one place. */
struct machine_slots {
    auto_vec<unsigned> registers; /* of the places that are in use */
    unsigned count;               /* of all places */
};

/* A block of machine code: insns of which either all are executed or none. A basic
   block of GCC is split after each call that may not return, and after each call that
   may return twice. */
struct machine_block {
    basic_block bb;
    rtx_insn *first, *last;   /* NULL: the block has no instructions */
    rtx_insn *before;         /* where its counter goes; NULL: at the start of BB */
    struct machine_free free; /* there */
    double cost;              /* of its counter, in executed instructions */
    unsigned into, out;       /* vertices */
    size_t number;            /* of the edge that the block is */
};

/* An edge of the graph that is no block: an edge of GCC's graph with a place for a
   counter of its own. */
struct machine_jump {
    edge e;
    size_t number; /* of the edge in the graph */
    struct machine_free free;
};

/* The flow graph of the current function. Edges on which no code can be put are not in
   the graph: the vertices at their ends are one vertex. */
struct machine_graph {
    auto_vec<machine_edge> edges;
    auto_vec<machine_block> blocks; /* in the order of the code */
    auto_vec<machine_jump> jumps;
    hash_map<edge, size_t> numbers; /* of the jumps' edges */
    auto_vec<unsigned> first; /* number of the first block, by index of the basic block */
    auto_vec<machine_loop> loops; /* by number */
    auto_vec<machine_register> registers;
    unsigned vertices, counters;
    uint64_t usable; /* registers that the function may change without saving them */
};

/* Returns the general registers that the function may change where they hold no value: it
   saves them, or need not. machine_lendable returns those that it may change if it
   restores their values. */
uint64_t machine_usable(void);
uint64_t machine_lendable(void);

/* Returns which of the registers USABLE are free where LIVE are the live ones, and
   whether the flags are. */
struct machine_free machine_free_at(const_bitmap live, uint64_t usable);

/* Returns the registers that the insn changes, and its callee if CALLEES.
   machine_named_by returns those that the insn reads or changes. */
uint64_t machine_set_by(const rtx_insn *insn, bool callees);
uint64_t machine_named_by(const rtx_insn *insn);

/* Returns true if the insn changes the stack pointer, or reads it for more than an access
   to memory: GCC has calls that are no call insns, and these read it (TLS descriptors).
 */
bool machine_uses_stack(const rtx_insn *insn);

/* Returns true if the edge is the jump of a condition that can lead to another label. */
bool machine_can_redirect(edge e);

/* Returns true if code can be put on the edge: at the end of its source, at the start of
   its destination, between the two, or in a block of its own. */
bool machine_can_place(edge e);

/* Returns the edge of the graph that is taken as often as E, on which code can be put. */
size_t machine_graph_number(const struct machine_graph *graph, edge e);

/* Returns the registers that are free on the edge. */
struct machine_free machine_graph_free(const struct machine_graph *graph, edge e);

/* Fills LOOPS. GCC's loops must be known. */
void machine_loops_find(vec<machine_loop> *loops, const vec<machine_unused> &unused,
                        const struct frequencies *frequencies);

/* Returns true if a counter in LOOP can be in a register. */
bool machine_loops_has_register(const vec<machine_loop> &loops, const class loop *loop);

/* Returns the outermost quiet loop around LOOP with a register for a counter that is
   executed FREQUENCY times, and takes the register. Returns NULL if there is none, or if
   it is not worthwhile. Sets REG, and SLOT as in struct machine_register. */
class loop *machine_loops_take(vec<machine_loop> *loops, struct machine_slots *slots,
                               class loop *loop, double frequency, unsigned *reg,
                               int *slot);

/* The registers that are counters during some loop around LOOP. */
uint64_t machine_loops_reserved(const vec<machine_loop> &loops, class loop *loop);

/* The thread-local variable of executables with inclusive instructions: a struct
   ccprof_stack_word and the thread's struct ccprof_stack_thread. */
#define MACHINE_WORD "ccprof_calls_word"

/* Fills GRAPH, with the numbers of the counters. */
void machine_graph_make(struct machine_graph *graph);

/* Makes the insns for CODE: one, and more if the code moves the stack pointer. */
rtx_insn *machine_make_code(struct machine_code code);

/* Tells GCC that the insn moves the stack pointer by BYTES and does nothing else that
   unwinding has to know. */
void machine_describe_move(rtx_insn *insn, int bytes);

/* Returns true if the insn must stay the first one of a function. */
bool machine_must_stay_first(const rtx_insn *insn);

/* For inclusive instructions (machine-calls.cc): machine_calls_find notes the calls of
   the function before counters are inserted, machine_calls_insert inserts the code at
   calls after them. */
void machine_calls_find(const struct machine_graph *graph);
void machine_calls_insert(const struct machine_graph *graph);

/* The text that stands for the amount that EDGE adds to the thread's total
   (machine-amounts.cc). It becomes a number when the assembly is finished. */
#define MACHINE_AMOUNT      '\2'
#define MACHINE_AMOUNT_SIZE 24
void machine_amount_name(char *amount, size_t edge);

/* Begin and end the writing of the current function's assembly. machine_amounts_end
   counts the instructions of EDGES in it, and sets their members. */
void machine_amounts_begin(void);
void machine_amounts_end(vec<machine_edge> *edges, unsigned vertices,
                         const vec<machine_segment> *parts, unsigned count);

/* Returns true for the call of __morestack (-fsplit-stack). The function continues behind
   the `ret' that follows. */
bool machine_is_morestack(const rtx_insn *insn);

/* The edge of the graph that is taken as often as the edge from BB to the next block in
   the order of the code. MACHINE_NO_EDGE: none does. */
size_t machine_graph_falls(const struct machine_graph *graph, basic_block bb);

/* For machine-segments.cc, before and after INSERT inserts: notes which edge each insn
   belongs to. machine_segments_own says that INSN is code of the counter on EDGE. */
void machine_segments_begin(const struct machine_graph *graph, unsigned row);
void machine_segments_own(const rtx_insn *insn, size_t edge);

/* machine_segments_pairs says that the function has the pairs MACHINE_PAIRS NUMBER;
   machine_segments_call that the code INSN is the label BACK behind the call with a pair.
 */
#define MACHINE_PAIRS ".Lccprof_calls"
void machine_segments_pairs(unsigned number);
void machine_segments_call(const rtx_insn *insn, unsigned back, unsigned pair);

/* The instructions of a counter. Each processor has a file machine_code-NAME.cc, where
   NAME is the first word of `gcc -dumpmachine'.

   The code is text for the assembler, and the registers that it changes. Each line that
   moves the stack pointer ends with MACHINE_MOVED and the number of bytes. */
#define MACHINE_MOVED "\1"
struct machine_code {
    char *text; /* freed by free */
    uint64_t registers;
    bool flags;
};

/* machine_code_cost returns about how many instructions an addition takes where FREE is
   free. machine_code_add returns an addition of 1 to counter INDEX (from 0) of the row
   COUNTERS (storage.h). */
double machine_code_cost(const struct machine_free *free);
struct machine_code machine_code_add(tree counters, unsigned index,
                                     const struct machine_free *free);

/* machine_code_clear sets the register REG to 0, machine_code_step adds 1 to it, and
   machine_code_flush adds it to the counter. */
struct machine_code machine_code_clear(unsigned reg, const struct machine_free *free);
struct machine_code machine_code_step(unsigned reg, const struct machine_free *free);
struct machine_code machine_code_flush(tree counters, unsigned index, unsigned reg,
                                       const struct machine_free *free);

/* machine_code_total adds AMOUNT, text for the assembler, to the thread's total;
   machine_code_total_flush adds the register REG times AMOUNT. */
struct machine_code machine_code_total(const char *amount,
                                       const struct machine_free *free);
struct machine_code machine_code_total_flush(const char *amount, unsigned reg,
                                             const struct machine_free *free);

/* machine_code_slots returns how many registers the red zone, the memory below the stack
   that signals leave alone, has room for besides the function's own values. A slot is
   at the same address as long as the stack pointer does not change. machine_code_lend
   writes the register REG to SLOT, and machine_code_return reads it back. */
unsigned machine_code_slots(void);
struct machine_code machine_code_lend(unsigned reg, unsigned slot);
struct machine_code machine_code_return(unsigned reg, unsigned slot);

/* Some processors have loops of a load, which claims a piece of memory, and a store,
   which fails if the claim is lost. Accesses between the two may lose the claim each
   time. Returns 1 if INSN is such a load, -1 if it is such a store, otherwise 0. */
int machine_code_exclusive(const rtx_insn *insn);

/* The number of the flags' register, or -1. */
int machine_code_flags(void);

#endif
