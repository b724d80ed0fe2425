/* SPDX-License-Identifier: MIT */
/* Functions and macros that a profiled program may call, in C and C++; see ccprof(3).
   You need not link a library: the calls go through a table that the runtime provides.
   In a program that is not profiled, the calls do nothing. */

#ifndef CCPROF_H
#define CCPROF_H

/* 1 if this file is compiled with the plugin, so that it can be profiled; otherwise 0.
   This is a constant, which can also be used in #if. */
#ifdef __CCPROF__
#define CCPROF_ON 1
#else
#define CCPROF_ON 0
#endif

/* Excludes code from the profile: time and counts of this code are charged to its
   callers. Write it before a function's declaration, after `class' or `struct', or
   after the parameters of a lambda. Without the plugin it expands to nothing. */
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

/* A data set. Each thread has a current data set, to which its samples are added. A
   null pointer means the first data set, which always exists. */
struct ccprof_data;

/* One source function in a chain of calls. The strings are valid until the process
   ends, except names of shared objects that were loaded after the last profiled
   object. */
struct ccprof_frame {
    const char *function; /* null: unknown */
    const char *file;     /* source file; null: unknown, or not profiled */
    unsigned line;        /* 0: unknown */
    unsigned column;      /* 0: unknown */
    int inlined;         /* the function is inlined into the function of the next frame */
    const void *address; /* address in the function or of its open call */
    const char *module;  /* executable or shared object; null: unknown */
    unsigned long offset; /* ADDRESS as an address in the module's file */
};

/* A region whose real time is measured. It must be in static storage. Two structures
   with the same name describe the same region. */
struct ccprof_region {
    const char *name;
    unsigned long number; /* set by the runtime; 0: not registered yet */
};

/* The table of the runtime's functions. A runtime that is older than this header has
   a shorter table: the members at an offset of SIZE or more are missing. */
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
    /* The next two members preserve the registers for floating-point numbers and
       vectors, since the caller may use them. */
    void (*region_end)(struct ccprof_region *region);
    /* Begins the region of a function. Returns a number for region_left, which is
       never 0. */
    unsigned long (*region_enter)(struct ccprof_region *function, const void *address);
    /* ENTERED is the result of region_enter for a region. Ends all regions inside
       this region, then the region itself. Does nothing if this region has ended
       already. */
    void (*region_left)(struct ccprof_region *function, unsigned long entered);
    /* Counts an indirect call like `target' does, but only for the first target of the
       call site. Stores this target for the process, and in *WORD, which identifies
       the call site. */
    void (*first)(void *word, const void *target);
};

/* Pointer to the table. It is defined in the stub (rt/attach.c) that the plugin adds
   to each profiled executable or shared object. Without a stub its address is null. */
extern const struct ccprof_api *ccprof_attach_api
    __attribute__((weak, visibility("hidden")));

#ifdef __cplusplus
}
#endif

/* Returns whether the runtime's table has the MEMBER. */
#define CCPROF_API_HAS(member)                                                           \
    (&ccprof_attach_api && ccprof_attach_api &&                                          \
     ccprof_attach_api->size > __builtin_offsetof(struct ccprof_api, member))

/* Returns 1 if samples are being taken, otherwise 0. */
static __inline__ int ccprof_on(void)
{
    return CCPROF_API_HAS(on) ? ccprof_attach_api->on() : 0;
}

/* Resumes sampling in all threads after ccprof_stop. */
static __inline__ void ccprof_start(void)
{
    if (CCPROF_API_HAS(start))
        ccprof_attach_api->start();
}

/* Stops sampling in all threads until ccprof_start is called. The profile does not
   include this time. */
static __inline__ void ccprof_stop(void)
{
    if (CCPROF_API_HAS(stop))
        ccprof_attach_api->stop();
}

/* All functions below that return an int return 0 or an errno value, unless they say
   otherwise. EINVAL means that the call is not valid here; a line on standard error
   gives the reason. */

/* Writes a profile to FILE: all samples so far that are not in another file yet. The
   run continues, and its own file will include these samples, too. Do not call this
   in a signal handler. */
static __inline__ int ccprof_write(const char *file)
{
    return CCPROF_API_HAS(write) ? ccprof_attach_api->write(file) : 0;
}

/* Makes a data set, which the caller frees with ccprof_data_free. If there are too
   many data sets, prints a message on standard error and returns null. */
static __inline__ struct ccprof_data *ccprof_data_new(void)
{
    return CCPROF_API_HAS(data_new) ? ccprof_attach_api->data_new() : CCPROF_NULL;
}

/* Frees the data set, which must not be current in any thread. Samples of the data
   set that were not written go into the run's own file. If DATA is null, nothing is
   done. */
static __inline__ int ccprof_data_free(struct ccprof_data *data)
{
    return CCPROF_API_HAS(data_free) ? ccprof_attach_api->data_free(data) : 0;
}

/* Moves the data set's samples to FILE. The data set is then empty, and no other file
   will have these samples. If writing fails, nothing changes. Do not call this in a
   signal handler. */
static __inline__ int ccprof_data_write(struct ccprof_data *data, const char *file)
{
    return CCPROF_API_HAS(data_write) ? ccprof_attach_api->data_write(data, file) : 0;
}

/* Returns whether ONE and OTHER are the same data set. */
static __inline__ int ccprof_data_equals(const struct ccprof_data *one,
                                         const struct ccprof_data *other)
{
    return one == other;
}

/* Begins a phase of the calling thread: mlprof shows the thread's samples under NAME
   until the phase ends. NAME is copied. Phases may be nested. */
static __inline__ int ccprof_label_begin(const char *name)
{
    return CCPROF_API_HAS(label_begin) ? ccprof_attach_api->label_begin(name) : 0;
}

/* Ends the innermost open phase of the calling thread. */
static __inline__ int ccprof_label_end(void)
{
    return CCPROF_API_HAS(label_end) ? ccprof_attach_api->label_end() : 0;
}

/* Initializer of a region in static storage: `static struct ccprof_region load =
   CCPROF_REGION_NAMED("load");'. */
#define CCPROF_REGION_NAMED(name)                                                        \
    {                                                                                    \
        name, 0                                                                          \
    }

/* Begins the region in the calling thread, inside the regions that are open. Returns
   a number for ccprof_region_cut, or 0 if this execution is not measured. */
static __inline__ unsigned long ccprof_region_begin(struct ccprof_region *region)
{
    return CCPROF_API_HAS(region_begin) ? ccprof_attach_api->region_begin(region) : 0;
}

/* Ends all inner regions, then the latest execution of this region that is still open.
   If the region is not open, prints a message on standard error. */
static __inline__ void ccprof_region_end(struct ccprof_region *region)
{
    if (CCPROF_API_HAS(region_end))
        ccprof_attach_api->region_end(region);
}

/* *OPENED is the result of ccprof_region_begin for a region. Ends all regions inside
   this region, then the region itself. */
static __inline__ void ccprof_region_cut(const unsigned long *opened)
{
    if (*opened != 0)
        ccprof_attach_api->region_cut(*opened);
}

/* A pointer to a static region with this name. Each use of the macro has its own
   variable. */
#define CCPROF_REGION_SITE(name)                                                         \
    (__extension__({                                                                     \
        static struct ccprof_region ccprof_site = CCPROF_REGION_NAMED(name);             \
        &ccprof_site;                                                                    \
    }))

#define CCPROF_INSIDE __attribute__((__always_inline__))

/* Stores the chain of calls in FRAMES, as source functions: first the function that
   calls ccprof_chain, then its callers, including inlined functions. Stores at most
   ROOM frames and returns their number.

   This function and the next three may be called in any thread and in signal handlers.
   They are for programs that are profiled with time-label or with call. They are
   always inlined, since otherwise they would be in the chain themselves. The empty
   asm prevents a tail call, which would remove the caller's frame. */
static __inline__ CCPROF_INSIDE int ccprof_chain(struct ccprof_frame *frames, int room)
{
    int count = 0;
    if (CCPROF_API_HAS(chain))
        count = ccprof_attach_api->chain(CCPROF_NULL, frames, room, sizeof *frames);
    __asm__ __volatile__("" : "+r"(count));
    return count;
}

/* Does the same as ccprof_chain, but starts at CONTEXT. CONTEXT is the third argument
   of a signal handler (SA_SIGINFO) or was filled in by getcontext(3). */
static __inline__ CCPROF_INSIDE int ccprof_chain_at(const void *context,
                                                    struct ccprof_frame *frames, int room)
{
    return CCPROF_API_HAS(chain)
               ? ccprof_attach_api->chain(context, frames, room, sizeof *frames)
               : 0;
}

/* Prints the chain of calls to the file descriptor, one line for each frame. If the
   stack has more than 1,024 calls, the middle is left out. */
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

/* The time during which a data set is current in the calling thread. Only for use in
   this header, since these times must be nested. */
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

/* Calls FUNCTION with ARGUMENT while the data set is current in the calling thread.
   Afterwards the previous data set is current again. If the data set cannot be used,
   FUNCTION is called nevertheless, and an errno value is returned. If FUNCTION is
   left by longjmp, the data set stays current. If FUNCTION is left by an exception,
   and the C code is compiled with -fexceptions, the previous data set becomes current
   again. */
static __inline__ int ccprof_with_data(struct ccprof_data *data,
                                       void (*function)(void *argument), void *argument)
{
    struct ccprof_stretch stretch __attribute__((cleanup(ccprof_stretch_end))) =
        ccprof_stretch_begin(data);
    function(argument);
    return stretch.error > 0 ? stretch.error : 0;
}

/* Use each of these macros as a declaration. It sets the current data set, or opens a
   region or a phase, until the end of the block. As with ccprof_with_data, this does
   not end if the block is left by longjmp. */
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

/* Makes the statement or block that follows a region, which ends however the block is
   left. The plugin replaces the call of ccprof_region_block, which has no definition.
   Without the plugin the macro has no effect. */
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

/* While an object of this class exists, the data set is current in the thread that
   created the object. */
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

    /* Returns 0, or an errno value if the data set cannot be used. */
    int error() const
    {
        return stretch.error > 0 ? stretch.error : 0;
    }

  private:
    with_data(const with_data &);
    with_data &operator=(const with_data &);

    struct ccprof_stretch stretch;
};

/* While an object of this class exists, the phase is open in the thread that created
   the object. */
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

/* While an object of this class exists, the region is open in the thread that created
   the object. */
class region
{
  public:
    explicit region(struct ccprof_region *of) : opened(ccprof_region_begin(of))
    {
    }
    /* Moves the open region from OTHER to this object. */
    region(const region &other) : opened(other.opened)
    {
        other.opened = 0;
    }
    ~region()
    {
        ccprof_region_cut(&opened);
    }

    /* Returns false, so that the block after `else' is executed. */
    operator bool() const
    {
        return false;
    }

  private:
    region &operator=(const region &);

    mutable unsigned long opened;
};

} // namespace ccprof

/* The C++ version of ccprof_with_data above. */
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
