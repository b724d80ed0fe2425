! SPDX-License-Identifier: GPL-3.0-or-later
! For the tests of formats: procedures of a module, one of them inlined.
module grid
contains
  subroutine relax(a, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n)
    integer :: i, j
    do j = 2, n - 1
      do i = 2, n - 1
        a(i, j) = average(a(i-1, j), a(i+1, j), a(i, j-1), a(i, j+1))
      end do
    end do
  end subroutine

  pure real(8) function average(p, q, r, s)
    real(8), intent(in) :: p, q, r, s
    average = (p + q + r + s) / 4
  end function
end module

program main
  use grid
  real(8) :: a(300, 300)
  integer :: k
  a = 1
  a(1, :) = 5
  do k = 1, 500
    call relax(a, 300)
  end do
  print *, sum(a)
end program
