/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-ins for functions of the runtime that a test does not look at: they do nothing,
   or return always the same. */

#ifndef CCPROF_TESTSUITE_STANDINS_H
#define CCPROF_TESTSUITE_STANDINS_H

/* Where parameters are named, none of them is used. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define DOES(name, parameters, what)                                                     \
    void name parameters                                                                 \
    {                                                                                    \
        what;                                                                            \
    }
#define DOES_NOTHING(name, parameters)                                                   \
    void name parameters                                                                 \
    {                                                                                    \
    }
#define RETURNS(type, name, parameters, value)                                           \
    type name parameters                                                                 \
    {                                                                                    \
        return value;                                                                    \
    }

#endif
