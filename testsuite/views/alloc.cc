// Allocations that are known: sequences that grow from 1 to 2, 4, 8 elements, and so on.
#include "growing.h"

extern "C" void *malloc(unsigned long);
extern "C" void free(void *);

struct measurement {
    double seconds, bytes;
};
template <class First, class Second> struct couple {
    First first;
    Second second;
};

volatile unsigned sink;

template <class Element> static void collect(unsigned number)
{
    containers::growing_sequence<Element> sequence;
    for (unsigned i = 0; i < number; i++)
        sequence.append(Element{});
    sink = sink + sequence.size();
}

static void allocate_alone(unsigned bytes)
{
    static void *volatile block;
    block = malloc(bytes);
    free(block);
}

int main()
{
    collect<measurement>(100);
    collect<couple<couple<measurement, measurement>, containers::growing_sequence<long> *>>(20);
    collect<couple<char, char>>(3);
    for (unsigned i = 1; i <= 10; i++)
        allocate_alone(10 * i);
}
