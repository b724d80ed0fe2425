/* SPDX-License-Identifier: MIT */
/* Declares what the profiled program may call, in C and C++; see ccprof(3).  There is no
   library to link: the calls go through a table that the runtime provides.  In a program
   that is not profiled they do nothing.  */

#ifndef CCPROF_H
#define CCPROF_H

/* 1 if this file is compiled with the plugin, so that it can be profiled, otherwise 0: a
   constant, also for #if.  */
#ifdef __CCPROF__
#define CCPROF_ON 1
#else
#define CCPROF_ON 0
#endif

/* Excludes code from the profile: what happens in it is charged to its callers.  Stands
   before a function's declaration, behind `class' or `struct', or behind the parameters
   of a lambda.  Without the plugin this is nothing.  */
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

/* A data set.  Each thread has a current data set, to which its samples are added.  Null
   is the first data set, which always exists.  */
struct ccprof_data;

/* One source function of a chain of calls.  The texts stay as long as the process, except
   the names of shared objects that were loaded after the last profiled one.  */
struct ccprof_frame {
    const char *function; /* null: unknown */
    const char *file;     /* source file; null: unknown, or not profiled */
    unsigned line;        /* 0: unknown */
    unsigned column;      /* 0: unknown */
    int inlined;          /* inlined into the function of the next frame */
    const void *address;  /* in the function, or in the call that it has made */
    const char *module;   /* executable or shared object; null: none */
    unsigned long offset; /* the address in the module's file */
};

/* A region whose real time is measured, in static storage.  Two regions with the same
   name are one region.  */
struct ccprof_region {
    const char *name;
    unsigned long number; /* the runtime's; 0: not known to the runtime yet */
};

/* The table of the runtime's functions.  A runtime that is older than this file lacks the
   members behind SIZE.  */
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
    /* The next two leave the registers for floating-point numbers and vectors alone,
       since the caller may need them.  */
    void (*region_end)(struct ccprof_region *region);
    /* Begins the region of a function.  Returns a number for region_left, never 0.  */
    unsigned long (*region_enter)(struct ccprof_region *function, const void *address);
    /* Ends the region for which region_enter returned ENTERED, unless it has been left,
       after all regions inside it.  */
    void (*region_left)(struct ccprof_region *function, unsigned long entered);
    /* As `target' does, but for the calls of the site's first target: keeps that one for
       the process, and in *WORD, which stands for the site.  */
    void (*first)(void *word, const void *target);
};

/* The table.  It is in the stub (rt/attach.c) that the plugin adds to each profiled
   executable or shared object; without a stub its address is null.  */
extern const struct ccprof_api *ccprof_attach_api
    __attribute__((weak, visibility("hidden")));

#ifdef __cplusplus
}
#endif

/* Whether the runtime's table has the MEMBER.  */
#define CCPROF_API_HAS(member)                                                           \
    (&ccprof_attach_api && ccprof_attach_api &&                                          \
     ccprof_attach_api->size > __builtin_offsetof(struct ccprof_api, member))

/* Whether samples are being taken.  */
static __inline__ int ccprof_on(void)
{
    return CCPROF_API_HAS(on) ? ccprof_attach_api->on() : 0;
}

/* Takes samples again in all threads, after ccprof_stop.  */
static __inline__ void ccprof_start(void)
{
    if (CCPROF_API_HAS(start))
        ccprof_attach_api->start();
}

/* Takes no samples in any thread until ccprof_start.  The profile is as if the program
   did nothing meanwhile.  */
static __inline__ void ccprof_stop(void)
{
    if (CCPROF_API_HAS(stop))
        ccprof_attach_api->stop();
}

/* All functions below that return an int return 0 or an errno value.  EINVAL means that
   the call makes no sense; then a line on standard error says why.  */

/* Writes all that was sampled so far, and that no other file has, to FILE.  The run goes
   on, and its own file will have all of this, too.  Not in a signal handler.  */
static __inline__ int ccprof_write(const char *file)
{
    return CCPROF_API_HAS(write) ? ccprof_attach_api->write(file) : 0;
}

/* Makes a data set, which the caller frees with ccprof_data_free.  If there are too many,
   says so on standard error and returns null.  */
static __inline__ struct ccprof_data *ccprof_data_new(void)
{
    return CCPROF_API_HAS(data_new) ? ccprof_attach_api->data_new() : CCPROF_NULL;
}

/* Frees the data set, which must not be current in any thread.  The samples that were not
   written go into the run's own file.  Null: nothing is done.  */
static __inline__ int ccprof_data_free(struct ccprof_data *data)
{
    return CCPROF_API_HAS(data_free) ? ccprof_attach_api->data_free(data) : 0;
}

/* Moves the data set's samples to FILE.  The data set is then empty, and no other file
   will have these samples.  If this fails, nothing changes.  Not in a signal handler.  */
static __inline__ int ccprof_data_write(struct ccprof_data *data, const char *file)
{
    return CCPROF_API_HAS(data_write) ? ccprof_attach_api->data_write(data, file) : 0;
}

/* Whether ONE and OTHER are the same data set.  */
static __inline__ int ccprof_data_equals(const struct ccprof_data *one,
                                         const struct ccprof_data *other)
{
    return one == other;
}

/* Begins a phase of the calling thread: what the thread does until the phase ends is
   shown under NAME, which is copied.  Phases may be nested.  */
static __inline__ int ccprof_label_begin(const char *name)
{
    return CCPROF_API_HAS(label_begin) ? ccprof_attach_api->label_begin(name) : 0;
}

/* Ends the phase that was begun last.  */
static __inline__ int ccprof_label_end(void)
{
    return CCPROF_API_HAS(label_end) ? ccprof_attach_api->label_end() : 0;
}

/* Initializes a region in static storage: `static struct ccprof_region load =
   CCPROF_REGION_NAMED("load");'.  */
#define CCPROF_REGION_NAMED(name)                                                        \
    {                                                                                    \
        name, 0                                                                          \
    }

/* Begins the region in the calling thread, inside the regions that are open.  Returns a
   number for ccprof_region_cut; 0: the call is not measured.  */
static __inline__ unsigned long ccprof_region_begin(struct ccprof_region *region)
{
    return CCPROF_API_HAS(region_begin) ? ccprof_attach_api->region_begin(region) : 0;
}

/* Ends the region, at its last begin that has not ended, after all regions inside it.  If
   the region is not open, says so on standard error.  */
static __inline__ void ccprof_region_end(struct ccprof_region *region)
{
    if (CCPROF_API_HAS(region_end))
        ccprof_attach_api->region_end(region);
}

/* Ends the region for which ccprof_region_begin returned *OPENED, after all regions
   inside it.  */
static __inline__ void ccprof_region_cut(const unsigned long *opened)
{
    if (*opened != 0)
        ccprof_attach_api->region_cut(*opened);
}

/* A region with this name that belongs to this place.  */
#define CCPROF_REGION_SITE(name)                                                         \
    (__extension__({                                                                     \
        static struct ccprof_region ccprof_site = CCPROF_REGION_NAMED(name);             \
        &ccprof_site;                                                                    \
    }))

#define CCPROF_INSIDE __attribute__((__always_inline__))

/* Fills in the chain of calls in terms of the source: the function that calls this first,
   then its callers, inlined functions included.  Fills in at most ROOM frames and returns
   how many.  This function and the next three may be called in any thread and in signal
   handlers; they are for programs that are profiled with time-label or with call.  They
   are always inlined, since otherwise they would be callers themselves.  The empty asm
   keeps this call from becoming a tail call, which would remove the caller's frame.  */
static __inline__ CCPROF_INSIDE int ccprof_chain(struct ccprof_frame *frames, int room)
{
    int count = 0;
    if (CCPROF_API_HAS(chain))
        count = ccprof_attach_api->chain(CCPROF_NULL, frames, room, sizeof *frames);
    __asm__ __volatile__("" : "+r"(count));
    return count;
}

/* Fills in the chain of calls at CONTEXT, which is the third argument of a signal handler
   (SA_SIGINFO) or comes from getcontext(3).  */
static __inline__ CCPROF_INSIDE int ccprof_chain_at(const void *context,
                                                    struct ccprof_frame *frames, int room)
{
    return CCPROF_API_HAS(chain)
               ? ccprof_attach_api->chain(context, frames, room, sizeof *frames)
               : 0;
}

/* Writes the chain of calls to the descriptor, a line for each frame, without the middle
   of a stack of more than 1,024 calls.  */
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

/* A stretch of time in which a data set is current in the calling thread.  For this
   header's own use, since stretches must be nested.  */
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

/* Calls FUNCTION with ARGUMENT while the data set is current in the calling thread;
   afterwards the earlier data set is current again.  If the data set cannot be used,
   FUNCTION is called nevertheless.  A longjmp out of FUNCTION leaves the data set
   current; an exception, where C is compiled with -fexceptions, does not.  */
static __inline__ int ccprof_with_data(struct ccprof_data *data,
                                       void (*function)(void *argument), void *argument)
{
    struct ccprof_stretch stretch __attribute__((cleanup(ccprof_stretch_end))) =
        ccprof_stretch_begin(data);
    function(argument);
    return stretch.error > 0 ? stretch.error : 0;
}

/* Declarations: until the end of the block the data set is current, the region is open,
   or the phase goes on.  The remark about longjmp above holds here, too.  */
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

/* Makes the statement or block behind it a region, however it is left.  The plugin
   replaces the call of ccprof_region_block, which is defined nowhere.  Without the plugin
   this is nothing.  */
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

/* While an object of this class lives, the data set is current in the thread that has
   made the object.  */
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

    /* Returns 0, or an errno value if the data set could not be used.  */
    int error() const
    {
        return stretch.error > 0 ? stretch.error : 0;
    }

  private:
    with_data(const with_data &);
    with_data &operator=(const with_data &);

    struct ccprof_stretch stretch;
};

/* While an object of this class lives, the phase of the thread that has made the object
   goes on.  */
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

/* While an object of this class lives, the region of the thread that has made the object
   is open.  */
class region
{
  public:
    explicit region(struct ccprof_region *of) : opened(ccprof_region_begin(of))
    {
    }
    /* The copy takes over the open region.  */
    region(const region &other) : opened(other.opened)
    {
        other.opened = 0;
    }
    ~region()
    {
        ccprof_region_cut(&opened);
    }

    /* Returns false, so that the block behind `else' runs.  */
    operator bool() const
    {
        return false;
    }

  private:
    region &operator=(const region &);

    mutable unsigned long opened;
};

} // namespace ccprof

/* Does the same as in C.  */
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
