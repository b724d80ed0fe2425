// SPDX-License-Identifier: GPL-3.0-or-later

#include "compiler-machine.h"

enum { STACK_MAX = 1 << 12, FRAMES_MAX = 1 << 8 };

// Variables and operands of one function: more there are not.
enum { FUNCTION_MAX = 256 };

// A function that has been called: where it goes on, and where its caller's variables
// are.
typedef struct {
    const Step *back;
    int *locals;
} Frame;

// Steps that look at the top of the stack; returns where it goes on.
static const Step *jump(const Step *steps, const Step *step, int **top)
{
    int value = (*top)[-1];

    switch (step->operation) {
    case IF_NOT:
        --*top;
        return value ? step + 1 : steps + step->operand;
    case KEEP_FALSE:
        *top -= value != 0;
        return value ? step + 1 : steps + step->operand;
    default: // KEEP_TRUE
        *top -= value == 0;
        return value ? steps + step->operand : step + 1;
    }
}

bool machine_run(const Step *steps, int entry, int *result)
{
    int stack[STACK_MAX], *top = stack, *locals = stack;
    Frame frames[FRAMES_MAX], *frame = frames;
    const Step *step = steps + entry;

    for (;;) {
        switch (step->operation) {
        case CONSTANT:
            *top++ = step->operand;
            break;
        case LOAD:
            *top++ = locals[step->operand];
            break;
        case STORE:
            locals[step->operand] = *--top;
            break;
        case NEGATE:
            top[-1] = machine_operate('-', 0, top[-1]);
            break;
        case TRUTH:
            top[-1] = top[-1] != 0;
            break;
        case NOT:
            top[-1] = !top[-1];
            break;
        case JUMP:
            step = steps + step->operand;
            continue;
        case IF_NOT:
        case KEEP_FALSE:
        case KEEP_TRUE:
            step = jump(steps, step, &top);
            continue;
        case CALL:
            if (frame == frames + FRAMES_MAX)
                return false;
            *frame++ = (Frame){step + 1, locals};
            step = steps + step->operand;
            continue;
        case ENTER:
            if (top > stack + STACK_MAX - FUNCTION_MAX)
                return false;
            locals = top - step->operand;
            break;
        case LEAVE:
            if (frame == frames) {
                *result = top[-1];
                return true;
            }
            *locals = top[-1];
            top = locals + 1;
            locals = (--frame)->locals;
            step = frame->back;
            continue;
        default:
            top--;
            top[-1] = machine_operate(step->operation, top[-1], top[0]);
            break;
        }
        step++;
    }
}
