// SPDX-License-Identifier: GPL-3.0-or-later
// Short conditional code, and loops of which not every turn is counted. Behind //=
// stands how often a line is executed.

__attribute__((noipa)) static double least(double a, double b)
{
    if (a > b) //= 300
        a = b; //= 100
    return a;  //= 300
}

__attribute__((noipa)) static int which(int x, int y)
{
    int z;
    if (x < y)     //= 300
        z = 3 * x; //= 200
    else
        z = y + 7; //= 100
    return z;      //= 300
}

__attribute__((noipa)) static int turns(const int *of, int count)
{
    int sum = 0, i = 0;
    for (; i < count; i++)
        if (of[i] % 7 == 2)        //= 401
            sum = sum * of[i] / 3; //= 57
        else if (of[i] % 5 == 1) { //= 344
            if (of[i] == 396)      //= 71
                break;
            sum /= of[i] + 1; //= 70
        }
    return sum + i; //= 3
}

int main(void)
{
    static int numbers[400];
    double sum = 0;
    for (int i = 0; i < 400; i++)
        numbers[i] = i;
    for (int i = 0; i < 300; i++) {
        sum += least(i, 199);
        sum += which(i, 200);
    }
    for (int i = 0; i < 3; i++)
        sum += turns(numbers, i ? 2 : 400);
    return sum < 0;
}
