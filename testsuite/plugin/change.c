int change(int x);

int change(int x)
{
    return x ^ 1;
}
