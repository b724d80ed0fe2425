/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loads WAY FILE...: loads each shared object, lets it work for 0.2 s, unloads it;
   with WAY "keep" it stays; with "leave" the last one ends the program.  */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        void *object = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        char *error = dlerror();
        if (!object || error) {
            printf("%s\n", error);
            return 1;
        }
        ((void (*)(double))dlsym(object, "work"))(0.2);
        if (strcmp(argv[1], "leave") == 0 && i + 1 == argc)
            ((void (*)(int))dlsym(object, "leave"))(9);
        if (strcmp(argv[1], "close") == 0)
            dlclose(object);
    }
    return 9;
}
