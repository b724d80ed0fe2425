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

#ifdef __cplusplus
extern "C" {
#endif

/* The table.  What a runtime that is older than this file does not have lies
   behind its size.  */
struct ccprof_api {
    unsigned long size; /* bytes */
    int (*on)(void);
    void (*start)(void);
    void (*stop)(void);
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

#endif
