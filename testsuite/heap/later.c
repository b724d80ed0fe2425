/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `later N': N blocks of 1,000 bytes, as many again when a module was loaded, and N of
   the module.  With MODULE it is that.  */

#include <dlfcn.h>
#include <stdlib.h>

#ifdef MODULE
void *later(int blocks);
void *later(int blocks)
{
    void *volatile block = NULL;

    for (int i = 0; i < blocks; i++)
        block = malloc(1000);
    return block;
}
#else
__attribute__((noinline)) static int use(void *module, int blocks)
{
    void *(*later)(int) = (void *(*)(int))dlsym(module, "later");

    return later && later(blocks / 2) && later(blocks / 2);
}

__attribute__((noinline)) static void own(int blocks)
{
    void *volatile block;

    for (int i = 0; i < blocks; i++)
        block = malloc(1000);
    (void)block;
}

int main(int count, char **argument)
{
    const int blocks = count > 1 ? atoi(argument[1]) : 0;

    own(blocks);
    void *module = dlopen("./later.so", RTLD_NOW);
    own(blocks);
    return !module || !use(module, blocks);
}
#endif
