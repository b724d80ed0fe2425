/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For the test page-instructions: loops whose numbers of executions are known. GCC adds
   no instructions between those of an asm statement. */

static int weights[1000];

static inline void divide(unsigned divisor)
{
    __asm__ volatile("xorl %%edx, %%edx\n\tmovl $7, %%eax\n\tdivl %0" ::"r"(divisor)
                     : "eax", "edx");
}

__attribute__((noipa)) void divides(unsigned divisor)
{
    for (int i = 0; i < 300; i++)
        divide(divisor);
}

__attribute__((noipa)) void rounds(long *at)
{
    for (int i = 0; i < 1000; i++)
        __asm__ volatile("movq (%0), %%rax\n\taddq $1, (%0)" ::"r"(at) : "rax", "memory");
}

__attribute__((noipa)) void twice(void)
{
    for (int i = 0; i < 1000; i++)
        weights[i] += weights[i];
}

int main(void)
{
    long cell = 0;
    divides(3);
    rounds(&cell);
    twice();
    return cell != 1000;
}
