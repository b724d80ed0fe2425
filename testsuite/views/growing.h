// A container that allocates for those who use it, as those of a library do.
namespace containers {
template <class Element> class growing_sequence {
    Element *elements = nullptr;
    unsigned count = 0, capacity = 0;

    void reallocate(unsigned wanted)
    {
        Element *larger = new Element[wanted];
        for (unsigned i = 0; i < count; i++)
            larger[i] = elements[i];
        delete[] elements;
        elements = larger;
        capacity = wanted;
    }

public:
    ~growing_sequence() { delete[] elements; }
    void append(const Element &element)
    {
        if (count == capacity)
            reallocate(capacity ? 2 * capacity : 1);
        elements[count++] = element;
    }
    unsigned size() const { return count; }
};
}
