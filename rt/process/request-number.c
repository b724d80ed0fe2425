/* SPDX-License-Identifier: MIT */
/* Decodes the number of a request (doc/requests.md), and checks it. */

#include "rt/process/request.h"
#include "rt/format.h"

bool ccprof_request_decode(uint64_t value, struct ccprof_request *request)
{
    const uint32_t deadline = (1u << CCPROF_REQUEST_DEADLINE_BITS) - 1;

    *request = (struct ccprof_request){
        .version = value >> CCPROF_REQUEST_VERSION_SHIFT & 0xf,
        .operation = value >> CCPROF_REQUEST_OPERATION_SHIFT & 0xf,
        .argument = value >> CCPROF_REQUEST_ARGUMENT_SHIFT & 0xffff,
        .deadline = (uint32_t)value & deadline};
    return value >> CCPROF_REQUEST_MARK_SHIFT == CCPROF_REQUEST_MARK;
}

bool ccprof_request_is_late(const struct ccprof_request *request, uint64_t now)
{
    const uint32_t half = 1u << (CCPROF_REQUEST_DEADLINE_BITS - 1);
    uint32_t passed = (uint32_t)(now >> CCPROF_REQUEST_DEADLINE_UNIT) - request->deadline;

    passed &= 2 * half - 1;
    return passed != 0 && passed < half;
}

bool ccprof_request_is_known(const struct ccprof_request *request)
{
    static const struct {
        uint16_t least, most;
    } arguments[] = {[CCPROF_REQUEST_REPORT] = {0, 0},
                     [CCPROF_REQUEST_SAMPLE] = {1, UINT16_MAX},
                     [CCPROF_REQUEST_STOP] = {0, 0},
                     [CCPROF_REQUEST_RATE] = {1, CCPROF_RATE_MOST},
                     [CCPROF_REQUEST_TIMES] = {0, CCPROF_TIMES_WIDTH_MOST},
                     [CCPROF_REQUEST_HEAP] = {0, 0}};
    unsigned operation = request->operation;

    return request->version == CCPROF_REQUEST_VERSION &&
           operation < sizeof arguments / sizeof *arguments &&
           request->argument >= arguments[operation].least &&
           request->argument <= arguments[operation].most;
}
