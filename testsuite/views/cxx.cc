// Counts that are known, of instances of templates with long names; no header of a library.
namespace containers {
template <class First, class Second> struct couple {
    First first;
    Second second;
    bool operator<(const couple &other) const { return first < other.first; }
};
template <class Element, unsigned Capacity, class Compare> class ordered_collection {
    Element elements[Capacity];
    unsigned count = 0;

public:
    template <class Source> void insert_in_order(const Source &source)
    {
        unsigned at = count++;
        for (; at > 0 && Compare::is_before(source, elements[at - 1]); at--)
            elements[at] = elements[at - 1];
        elements[at] = source;
    }
    unsigned size() const { return count; }
};
template <class Element> struct ascending_comparison {
    static bool is_before(const Element &one, const Element &other) { return one < other; }
};
}

volatile unsigned sink;

template <class Element> static void fill(unsigned numbers)
{
    containers::ordered_collection<Element, 16, containers::ascending_comparison<Element>> collection;
    for (unsigned i = numbers; i > 0; i--)
        collection.insert_in_order(Element{static_cast<int>(i), {}});
    sink = sink + collection.size();
}

int main()
{
    fill<containers::couple<int, unsigned long>>(4);
    fill<containers::couple<int, containers::couple<int, unsigned long>>>(10);
}
