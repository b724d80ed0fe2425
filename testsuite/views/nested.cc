// Templates nested 26 deep, each twice in the next: symbols of some hundred bytes, names
// of gigabytes. With -DLONG the symbols are longer than the demangler reads, and GCC's
// printer is asked.
#include <cstdlib>

#ifdef LONG
#define SPACE LONG
#else
#define SPACE space
#endif

namespace SPACE
{
template <class A, class B> struct pair {
    int x;
};
template <class A> using twice = pair<A, A>;
template <class A> using four = twice<twice<twice<twice<A>>>>;
template <class A> using many = four<four<four<A>>>;
typedef twice<twice<many<many<int>>>> bomb;
// A name of some kilobytes.
typedef four<four<char>> good;

volatile long count;
void *volatile sink;

#define ALONE __attribute__((noinline, used))

template <class A> struct whole {
    // Not constant, or GCC 16 would leave nothing of the constructor.
    long before = count;
    virtual ALONE ~whole()
    {
        count = count + 1;
    }
    ALONE operator A *()
    {
        count = count + 1;
        return nullptr;
    }
    ALONE static void spin()
    {
        for (long i = 0; i < LOOPS; i++)
            count = count + 1;
    }
    struct inner {
        int x;
    };
};

template <class A> ALONE auto local(A *) -> decltype(sizeof(A))
{
    struct in_it {
        A a;
        ALONE void call()
        {
            count = count + 1;
        }
    };
    auto lambda = [](auto x, A *) ALONE { count = count + sizeof x; };
    lambda(1L, nullptr);
    in_it().call();
    sink = new in_it;
    sink = new pair<in_it, decltype(lambda)>;
    return 1;
}

ALONE void argument(bomb *)
{
    count = count + 1;
}

template <auto function> struct value {
    ALONE void call()
    {
        function();
    }
};

template <class A> ALONE void blocks()
{
    sink = new A;
    sink = new A[3];
    sink = new A *;
    sink = static_cast<A *>(std::malloc(sizeof(A)));
    sink = new typename whole<A>::inner;
    sink = new pair<int (whole<A>::*)(A), A (*)(A)>;
    sink = new value<whole<A>::spin>;
}
} // namespace SPACE

int main()
{
    using namespace SPACE;
    static_cast<bomb *>(whole<bomb>());
    whole<bomb>::spin();
    local(static_cast<bomb *>(nullptr));
    argument(nullptr);
    value<whole<bomb>::spin>().call();
    blocks<bomb>();
    whole<good>::spin();
    blocks<good>();
}
