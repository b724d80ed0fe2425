# SPDX-License-Identifier: GPL-3.0-or-later
# FILES source files f0.c.. of PER functions each; static ones that are inlined into others.
BEGIN {
    srand(1); n = files * per
    for (f = 0; f < files; f++) {
        out = "f" f ".c"; lines = 0
        printf "typedef unsigned f(unsigned);\n" > out
        for (i = f * per; i < (f + 1) * per; i++) {
            kind = i % 4
            # leaf, small inlined, middle, root
            if (kind == 0)
                printf "static inline unsigned step%d(unsigned x)\n{\n    x ^= x >> %d;\n    x *= %du;\n    return x + %d;\n}\n", i, 3 + i % 11, 2 * i + 3, i > out
            else if (kind == 1)
                printf "static inline unsigned mix%d(unsigned x, int n)\n{\n    for (int k = 0; k < n; k++) {\n        x = step%d(x);\n        if (x & %d)\n            x += k;\n    }\n    return x;\n}\n", i, i - 1, 1 + i % 64 > out
            else if (kind == 2)
                printf "__attribute__((noinline)) static unsigned round%d(unsigned x)\n{\n    x = mix%d(x, 2);\n    if (x %% 7 == 1)\n        x = step%d(x);\n    x += mix%d(x >> 1, 1);\n    return x;\n}\n", i, i - 1, i - 2, i - 1 > out
            else
                printf "unsigned f%d(unsigned x)\n{\n    x = round%d(x);\n    x ^= mix%d(x, 1);\n    if (x %% 3 == 0)\n        x -= round%d(x + 1);\n    return x * 2654435761u;\n}\n", i, i - 1, i - 2, i - 1 > out
        }
        close(out)
    }
    out = "main.c"
    print "#include <stdlib.h>\ntypedef unsigned f(unsigned);" > out
    for (i = 3; i < n; i += 4) printf "extern f f%d;\n", i > out
    printf "static f *const table[] = {" > out
    for (i = 3; i < n; i += 4) printf "f%d,\n", i > out
    printf "};\nint main(int argc, char **argv)\n{\n    unsigned x = 1;\n    long rounds = argc > 1 ? atol(argv[1]) : 1000;\n" > out
    printf "    for (long i = 0; i < rounds * 1000; i++)\n        x += table[(x >> 3) %% (sizeof table / sizeof *table)](x);\n    return x == 0;\n}\n" > out
}
