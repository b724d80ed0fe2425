/* SPDX-License-Identifier: MIT */
/* The profiler as seen by the program that is profiled, in C and C++; see
   ccprof(3).  There is no library to link: the calls go through a table that the
   runtime provides.  In a program that is not profiled they do nothing.  */

#ifndef CCPROF_H
#define CCPROF_H

/* 1 where this file is compiled with the plugin, so that it can be profiled,
   otherwise 0: a constant, also for #if.  */
#ifdef __CCPROF__
#define CCPROF_ON 1
#else
#define CCPROF_ON 0
#endif

/* Before a function's declaration, or behind `class' or `struct', or behind a lambda's
   parameters: what is in it is charged to its callers.  Nothing where there is no
   plugin.  */
#ifdef __has_attribute
#if __has_attribute(ccprof_exclude)
#define CCPROF_EXCLUDE __attribute__((ccprof_exclude))
#endif
#endif
#ifndef CCPROF_EXCLUDE
#define CCPROF_EXCLUDE
#endif

#if defined __cplusplus && __cplusplus >= 201103L
#define CCPROF_NULL nullptr
#else
#define CCPROF_NULL 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A data set: samples are added to the one that is current in their thread.  Null is the
   first data set, which is always there.  */
struct ccprof_data;

/* One source function of a chain of calls.  The texts are there as long as the process,
   but for the names of shared objects that were not in memory when the last profiled one
   was loaded.  */
struct ccprof_frame {
    const char *function; /* null: unknown */
    const char *file;     /* of the source; null: unknown, or not profiled */
    unsigned line;        /* 0: unknown */
    unsigned column;      /* 0: unknown */
    int inlined;          /* in the next one */
    const void *address;  /* where it is, or in the call that it has made */
    const char *module;   /* executable or shared object; null: none */
    unsigned long offset; /* the address there */
};

/* A region whose real time is measured, in static storage.  Two of the same name are one
   region.  */
struct ccprof_region {
    const char *name;
    unsigned long number; /* the runtime's; 0: not known there yet */
};

/* The table.  What a runtime that is older than this file does not have lies
   behind its size.  */
struct ccprof_api {
    unsigned long size; /* bytes */
    int (*on)(void);
    void (*start)(void);
    void (*stop)(void);
    int (*write)(const char *file);
    struct ccprof_data *(*data_new)(void);
    int (*data_free)(struct ccprof_data *data);
    int (*data_write)(struct ccprof_data *data, const char *file);
    int (*data_enter)(struct ccprof_data *data, struct ccprof_data **before);
    void (*data_leave)(struct ccprof_data *before);
    int (*label_begin)(const char *name);
    int (*label_end)(void);
    int (*chain)(const void *context, struct ccprof_frame *frames, int room,
                 unsigned long size);
    int (*chain_print)(const void *context, int fd);
    void (*target)(const void *site, const void *target);
    unsigned long (*region_begin)(struct ccprof_region *region);
    void (*region_cut)(unsigned long depth);
    /* These two use no registers of floating-point or vectors: the caller may need them.
     */
    void (*region_end)(struct ccprof_region *region);
    /* The second one returns which of the regions it is, for region_left; never 0.  */
    unsigned long (*region_enter)(struct ccprof_region *function, const void *address);
    /* Ends that one, unless it was left already, and before it those inside of it.  */
    void (*region_left)(struct ccprof_region *function, unsigned long entered);
};

/* In the stub of each profiled executable or shared object, which the plugin adds
   (rt/attach.c); its address is null where there is none.  */
extern const struct ccprof_api *ccprof_attach_api
    __attribute__((weak, visibility("hidden")));

#ifdef __cplusplus
}
#endif

/* Whether the runtime has the MEMBER of the table.  */
#define CCPROF_API_HAS(member)                                                           \
    (&ccprof_attach_api && ccprof_attach_api &&                                          \
     ccprof_attach_api->size > __builtin_offsetof(struct ccprof_api, member))

/* Whether samples are being taken.  */
static __inline__ int ccprof_on(void)
{
    return CCPROF_API_HAS(on) ? ccprof_attach_api->on() : 0;
}

/* Takes samples in all threads again, if they are not being taken.  */
static __inline__ void ccprof_start(void)
{
    if (CCPROF_API_HAS(start))
        ccprof_attach_api->start();
}

/* Takes no more samples in any thread, until they are started: what the program does
   meanwhile is as if it were not there.  */
static __inline__ void ccprof_stop(void)
{
    if (CCPROF_API_HAS(stop))
        ccprof_attach_api->stop();
}

/* All functions that return an int return 0 or an errno value; EINVAL: what is called for
   makes no sense, and a line on standard error says so.  */

/* Writes all that was sampled so far and is in no other file to FILE; the run goes on,
   and its own file will have all of it too.  Not in a signal handler.  */
static __inline__ int ccprof_write(const char *file)
{
    return CCPROF_API_HAS(write) ? ccprof_attach_api->write(file) : 0;
}

/* A new data set, to be freed with ccprof_data_free; null, after a line on standard
   error, if there are too many.  */
static __inline__ struct ccprof_data *ccprof_data_new(void)
{
    return CCPROF_API_HAS(data_new) ? ccprof_attach_api->data_new() : CCPROF_NULL;
}

/* Frees the data set, which must not be current in any thread.  What it has and was not
   written goes into the run's own file.  Null: nothing is done.  */
static __inline__ int ccprof_data_free(struct ccprof_data *data)
{
    return CCPROF_API_HAS(data_free) ? ccprof_attach_api->data_free(data) : 0;
}

/* Moves the data set's samples to FILE: they will be in no other one, and the data set is
   empty afterwards; but if it fails, all stays as it is.  Not in a signal handler.  */
static __inline__ int ccprof_data_write(struct ccprof_data *data, const char *file)
{
    return CCPROF_API_HAS(data_write) ? ccprof_attach_api->data_write(data, file) : 0;
}

/* Whether they are the same data set.  */
static __inline__ int ccprof_data_equals(const struct ccprof_data *one,
                                         const struct ccprof_data *other)
{
    return one == other;
}

/* Begins a phase of the calling thread: what it does until the phase ends is told under
   the name, which is copied.  Phases may be nested.  */
static __inline__ int ccprof_label_begin(const char *name)
{
    return CCPROF_API_HAS(label_begin) ? ccprof_attach_api->label_begin(name) : 0;
}

/* Ends the phase that was begun last.  */
static __inline__ int ccprof_label_end(void)
{
    return CCPROF_API_HAS(label_end) ? ccprof_attach_api->label_end() : 0;
}

/* For a region of static storage: `static struct ccprof_region load =
   CCPROF_REGION_NAMED("load");'.  */
#define CCPROF_REGION_NAMED(name)                                                        \
    {                                                                                    \
        name, 0                                                                          \
    }

/* Begins the region in the calling thread, from now on inside of those that are open.
   Returns which of them it is, for ccprof_region_cut; 0: it is not measured.  */
static __inline__ unsigned long ccprof_region_begin(struct ccprof_region *region)
{
    return CCPROF_API_HAS(region_begin) ? ccprof_attach_api->region_begin(region) : 0;
}

/* Ends the region that was begun last and not ended, and before it those inside of it. If
   none was begun a line on standard error says so.  */
static __inline__ void ccprof_region_end(struct ccprof_region *region)
{
    if (CCPROF_API_HAS(region_end))
        ccprof_attach_api->region_end(region);
}

/* Ends the region whose beginning returned *OPENED, and before it those inside of it.  */
static __inline__ void ccprof_region_cut(const unsigned long *opened)
{
    if (*opened != 0)
        ccprof_attach_api->region_cut(*opened);
}

/* The region of this name in this place.  */
#define CCPROF_REGION_SITE(name)                                                         \
    (__extension__({                                                                     \
        static struct ccprof_region ccprof_site = CCPROF_REGION_NAMED(name);             \
        &ccprof_site;                                                                    \
    }))

#define CCPROF_INSIDE __attribute__((__always_inline__))

/* The chain of calls, as the source has it: the function that calls this comes first,
   then its callers, those included that the compiler has inlined.  At most ROOM frames
   are filled in; returns how many.  All of these may be called in any thread and in
   signal handlers; they are for programs that are profiled with time-label or with call.

   They are always inlined, or they would be callers themselves.  The empty asm keeps the
   call from being the caller's last act, which would take the caller's frame away before.
 */
static __inline__ CCPROF_INSIDE int ccprof_chain(struct ccprof_frame *frames, int room)
{
    int count = 0;
    if (CCPROF_API_HAS(chain))
        count = ccprof_attach_api->chain(CCPROF_NULL, frames, room, sizeof *frames);
    __asm__ __volatile__("" : "+r"(count));
    return count;
}

/* The same from where CONTEXT is: the third argument of a signal handler (SA_SIGINFO), or
   what getcontext(3) has filled in.  */
static __inline__ CCPROF_INSIDE int ccprof_chain_at(const void *context,
                                                    struct ccprof_frame *frames, int room)
{
    return CCPROF_API_HAS(chain)
               ? ccprof_attach_api->chain(context, frames, room, sizeof *frames)
               : 0;
}

/* Writes the chain to the descriptor, a line for each frame; of a stack that is deeper
   than 1,024 calls the middle is left out.  */
static __inline__ CCPROF_INSIDE int ccprof_chain_print(int fd)
{
    int error = 0;
    if (CCPROF_API_HAS(chain_print))
        error = ccprof_attach_api->chain_print(CCPROF_NULL, fd);
    __asm__ __volatile__("" : "+r"(error));
    return error;
}

static __inline__ CCPROF_INSIDE int ccprof_chain_print_at(const void *context, int fd)
{
    return CCPROF_API_HAS(chain_print) ? ccprof_attach_api->chain_print(context, fd) : 0;
}

/* A stretch in which a data set is current in the calling thread: for the header's own
   use, since only nested stretches make sense.  */
struct ccprof_stretch {
    struct ccprof_data *before;
    int error;
};

static __inline__ struct ccprof_stretch ccprof_stretch_begin(struct ccprof_data *data)
{
    struct ccprof_stretch stretch = {CCPROF_NULL, -1};
    if (CCPROF_API_HAS(data_enter))
        stretch.error = ccprof_attach_api->data_enter(data, &stretch.before);
    return stretch;
}

static __inline__ void ccprof_stretch_end(struct ccprof_stretch *stretch)
{
    if (stretch->error == 0)
        ccprof_attach_api->data_leave(stretch->before);
}

static __inline__ void ccprof_phase_end(const int *error)
{
    if (*error == 0)
        ccprof_label_end();
}

#ifndef __cplusplus

/* Calls FUNCTION with ARGUMENT while the data set is current in the calling thread; then
   the one is current again that was before.  If the data set cannot be used, the function
   is called all the same.  longjmp out of it leaves the data set current; exceptions,
   where C is compiled with -fexceptions, do not.  */
static __inline__ int ccprof_with_data(struct ccprof_data *data,
                                       void (*function)(void *argument), void *argument)
{
    struct ccprof_stretch stretch __attribute__((cleanup(ccprof_stretch_end))) =
        ccprof_stretch_begin(data);
    function(argument);
    return stretch.error > 0 ? stretch.error : 0;
}

/* Declarations: until the end of the block the data set is current, or the phase goes on.
   Not for longjmp, as above.  */
#define CCPROF_DATA(data)                                                                \
    struct ccprof_stretch CCPROF_NAME(ccprof_stretch_, __LINE__)                         \
        __attribute__((cleanup(ccprof_stretch_end), unused)) =                           \
            ccprof_stretch_begin(data)
#define CCPROF_STOPWATCH(name)                                                           \
    const unsigned long CCPROF_NAME(ccprof_opened_, __LINE__)                            \
        __attribute__((cleanup(ccprof_region_cut), unused)) =                            \
            ccprof_region_begin(CCPROF_REGION_SITE(name))
#define CCPROF_LABEL(name)                                                               \
    const int CCPROF_NAME(ccprof_phase_, __LINE__)                                       \
        __attribute__((cleanup(ccprof_phase_end), unused)) = ccprof_label_begin(name)

/* In front of a statement or block: a region as long as it runs, however it is left.  The
   plugin makes that of the call, which is nowhere defined; without it this is nothing. */
#ifdef __CCPROF_REGIONS__
int ccprof_region_block(struct ccprof_region *region,
                        unsigned long (*begin)(struct ccprof_region *region),
                        void (*end)(const unsigned long *opened));
#define CCPROF_REGION(name)                                                              \
    if (ccprof_region_block(CCPROF_REGION_SITE(name), ccprof_region_begin,               \
                            ccprof_region_cut)) {                                        \
    } else
#else
#define CCPROF_REGION(name)                                                              \
    if (0) {                                                                             \
    } else
#endif

#else

namespace ccprof
{

/* While it lives the data set is current in the thread that has made it.  */
class with_data
{
  public:
    explicit with_data(struct ccprof_data *data) : stretch(ccprof_stretch_begin(data))
    {
    }
    ~with_data()
    {
        ccprof_stretch_end(&stretch);
    }

    /* 0 or an errno value: then it does nothing.  */
    int error() const
    {
        return stretch.error > 0 ? stretch.error : 0;
    }

  private:
    with_data(const with_data &);
    with_data &operator=(const with_data &);

    struct ccprof_stretch stretch;
};

/* While it lives the phase of the thread that has made it goes on.  */
class label
{
  public:
    explicit label(const char *name) : problem(ccprof_label_begin(name))
    {
    }
    ~label()
    {
        ccprof_phase_end(&problem);
    }

    int error() const
    {
        return problem;
    }

  private:
    label(const label &);
    label &operator=(const label &);

    const int problem;
};

/* While it lives the region of the thread that has made it goes on.  */
class region
{
  public:
    explicit region(struct ccprof_region *of) : opened(ccprof_region_begin(of))
    {
    }
    /* The copy goes on with it.  */
    region(const region &other) : opened(other.opened)
    {
        other.opened = 0;
    }
    ~region()
    {
        ccprof_region_cut(&opened);
    }

    /* False, so that the block behind `else' runs.  */
    operator bool() const
    {
        return false;
    }

  private:
    region &operator=(const region &);

    mutable unsigned long opened;
};

} // namespace ccprof

/* As in C.  */
static inline int ccprof_with_data(struct ccprof_data *data,
                                   void (*function)(void *argument), void *argument)
{
    ccprof::with_data stretch(data);
    function(argument);
    return stretch.error();
}

#define CCPROF_DATA(data)  ::ccprof::with_data CCPROF_NAME(ccprof_stretch_, __LINE__)(data)
#define CCPROF_LABEL(name) ::ccprof::label CCPROF_NAME(ccprof_phase_, __LINE__)(name)
#define CCPROF_STOPWATCH(name)                                                           \
    ::ccprof::region CCPROF_NAME(ccprof_region_, __COUNTER__)(CCPROF_REGION_SITE(name))
#define CCPROF_REGION(name)                                                              \
    if (::ccprof::region CCPROF_NAME(ccprof_region_, __COUNTER__) =                      \
            ::ccprof::region(CCPROF_REGION_SITE(name))) {                                \
    } else

#endif

#define CCPROF_NAME(word, line)  CCPROF_NAME_(word, line)
#define CCPROF_NAME_(word, line) word##line

#undef CCPROF_NULL
#undef CCPROF_INSIDE

#endif
