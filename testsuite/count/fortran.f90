! SPDX-License-Identifier: GPL-3.0-or-later
!: <gfortran main> 1, MAIN__ 1, MAIN__.inner 10, shapes.area 10, shapes.factorial 10
module shapes
contains
  pure function area(r) result(a)
    real, intent(in) :: r
    real :: a
    a = 3.0 * r * r
  end function
  recursive function factorial(n) result(f)
    integer, intent(in) :: n
    integer :: f
    if (n < 2) then
      f = 1
    else
      f = n * factorial(n - 1)
    end if
  end function
end module
program main
  use shapes
  implicit none
  integer :: i, k
  real :: total
  total = 0
  k = 0
  do i = 1, 10
    total = total + area(real(i))
    k = k + inner(i)
  end do
  print *, total, k, factorial(10)
contains
  integer function inner(x)
    integer, intent(in) :: x
    inner = x + 1
  end function
end program
