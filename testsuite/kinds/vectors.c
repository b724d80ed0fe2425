// SPDX-License-Identifier: GPL-3.0-or-later
// A frame whose size only the processor knows: keeps has a vector in it while work runs.
// Who called work is printed first. With WITHOUT there is no vector, and keeps only says
// so (DW_CFA_def_cfa_expression, of DW_OP_bregx and that register).

#include "ccprof.h"
#include "kernel.h"

#ifdef WITHOUT
typedef int64_t vector;
#define VECTOR_LOAD(from) (*(from))
#define VECTOR_FIRST(v)   (v)
#ifdef __riscv
#define VECTOR_SAY() __asm__ volatile(".cfi_escape 0x0f, 4, 0x92, 0xa2, 0x38, 0")
#else
#define VECTOR_SAY() __asm__ volatile(".cfi_escape 0x0f, 3, 0x92, 0x2e, 0")
#endif
#else
/* GCC 14 would load the first element alone. */
#define VECTOR_SAY() __asm__ volatile("" : VECTOR_REGISTER(v))
#ifdef __riscv
#define VECTOR_REGISTER "+vr"
#include <riscv_vector.h>
typedef vint64m1_t vector;
#define VECTOR_LOAD(from) __riscv_vle64_v_i64m1(from, 2)
#define VECTOR_FIRST(v)   __riscv_vmv_x_s_i64m1_i64(v)
#else
#define VECTOR_REGISTER "+w"
#include <arm_sve.h>
typedef svint64_t vector;
#define VECTOR_LOAD(from) svld1_s64(svptrue_b64(), from)
#define VECTOR_FIRST(v)   svlasta_s64(svpfalse_b(), v)
#endif
#endif

/* As long as a vector may be. For all GCC knows work changes it. */
int64_t numbers[32] = {1};
static int told;

__attribute__((noipa)) static uint64_t work(uint64_t x)
{
    if (!told) {
        told = 1;
        ccprof_chain_print(1);
    }
    KERNEL_SPIN(x, KERNEL_ALPHA, 50000);
    return x;
}

__attribute__((noipa)) static uint64_t keeps(uint64_t x)
{
    vector v = VECTOR_LOAD(numbers);

    VECTOR_SAY();
    x = work(x);
    return x + (uint64_t)VECTOR_FIRST(v);
}

__attribute__((noipa)) static uint64_t outer(uint64_t x)
{
    return keeps(x) + 1;
}

int main(void)
{
    double start = KERNEL_SECONDS();
    uint64_t x = 1;

    do
        for (int i = 0; i < 10; i++)
            x = outer(x);
    while (KERNEL_SECONDS() - start < KERNEL_RUN);
    return x == 0;
}
