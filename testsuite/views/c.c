/* Counts that are known: lists of 3, 5 and 8 numbers, each sorted by insertion. */
static volatile int sink;

static inline int less_than_its_neighbour(const int *numbers, int at)
{
    return numbers[at] < numbers[at - 1];
}

static void exchange(int *one, int *other)
{
    int kept = *one;
    *one = *other;
    *other = kept;
}

static void sort_by_insertion(int *numbers, int count)
{
    for (int i = 1; i < count; i++)
        for (int at = i; at > 0 && less_than_its_neighbour(numbers, at); at--)
            exchange(&numbers[at], &numbers[at - 1]);
}

static void sort_descending_numbers(int count)
{
    int numbers[8];
    for (int i = 0; i < count; i++)
        numbers[i] = count - i;
    sort_by_insertion(numbers, count);
    sink += numbers[0];
}

int main(void)
{
    sort_descending_numbers(3);
    sort_descending_numbers(5);
    sort_descending_numbers(8);
    return 0;
}
