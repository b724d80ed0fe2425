// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that libgomp makes, which do not end.
//: cube 100000, main 1, main.omp 80

static int cube(int x) { return x * x * x; }

int main(void)
{
    long sum = 0;
    for (int n = 0; n < 10; n++) {
#pragma omp parallel for num_threads(8) reduction(+ : sum)
        for (int i = 0; i < 10000; i++)
            sum += cube(i);
    }
    return sum == 1;
}
