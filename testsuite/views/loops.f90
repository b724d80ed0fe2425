! Loops, and those that the compiler makes of whole arrays.
module plates
contains
  subroutine smooth(a, b, n)
    integer, intent(in) :: n
    real, intent(in) :: a(n, n)
    real, intent(out) :: b(n, n)
    integer :: i, j
    b = a
    do j = 2, n - 1
      do i = 2, n - 1
        b(i, j) = (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)) / 4
      end do
    end do
    b(1, :) = 0
  end subroutine
  real function total(v, n)
    integer, intent(in) :: n
    real, intent(in) :: v(n)
    integer :: i
    total = 0
    i = 1
    do while (i <= n)
      total = total + sqrt(v(i))
      i = i + 2
    end do
    total = total + sum(v)
  end function
end module
program main
  use plates
  real :: a(20, 20), b(20, 20), v(100), s
  integer :: r
  a = 1
  v = 2
  do r = 1, 30
    call smooth(a, b, 20)
    a = b
  end do
  s = sum(a)
  print *, total(v, 100), s
end program
