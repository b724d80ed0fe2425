! SPDX-License-Identifier: GPL-3.0-or-later
! A function of a module that is inlined in another one.

module shapes
contains
  pure real function square(x)
    real, intent(in) :: x
    square = x * x
  end function
  real function total(v, n)
    integer, intent(in) :: n
    real, intent(in) :: v(n)
    integer :: i
    total = 0
    do i = 1, n
      total = total + square(v(i)) + sqrt(v(i))
    end do
  end function
end module
program main
  use shapes
  real :: v(100)
  v = 3
  v(1) = square(v(2))
  print *, total(v, 100)
end program
