// SPDX-License-Identifier: GPL-3.0-or-later
// loads N: loads the plugin three times, calls it from eight threads, and unloads it N
// times.

#include <dlfcn.h>
#include <pthread.h>

static int (*function)(int);

static void *call(void *unused)
{
    for (int i = 0; i < 1000; i++)
        function(10);
    return unused;
}

int main(int argc, char **argv)
{
    int unloads = argc > 1 ? *argv[1] - '0' : 0;

    for (int n = 0; n < 3; n++) {
        void *plugin = dlopen("./plugin.so", RTLD_NOW);
        pthread_t threads[8];

        function = (int (*)(int))dlsym(plugin, "plugin");
        for (int i = 0; i < 8; i++)
            pthread_create(&threads[i], NULL, call, NULL);
        for (int i = 0; i < 8; i++)
            pthread_join(threads[i], NULL);
        function(5);
        if (n < unloads)
            dlclose(plugin);
    }
    return 0;
}
