! SPDX-License-Identifier: GPL-3.0-or-later
!: <gfortran main> 1, MAIN__ 1, MAIN__.inner 10, MAIN__.not_referred_to 0, MAIN__.under_false 0, shapes.area 10
!: shapes.area.squared 10, shapes.factorial 10
module shapes
contains
  pure function area(r) result(a)
    real, intent(in) :: r
    real :: a
    a = 3.0 * squared(r)
  contains
    pure real function squared(x)
      real, intent(in) :: x
      squared = x * x
    end function
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
  if (.false.) print *, under_false(3)
  print *, total, k, factorial(10)
contains
  integer function inner(x)
    integer, intent(in) :: x
    inner = x + 1
  end function
  ! What a main program contains is compiled only if it is called.
  integer function under_false(x)
    integer, intent(in) :: x
    under_false = x + 1
  end function
  integer function not_referred_to(x)
    integer, intent(in) :: x
    not_referred_to = x + 2
  end function
end program
