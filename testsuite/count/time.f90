! SPDX-License-Identifier: GPL-3.0-or-later
! As time.c, of a module's function.

module branches
  implicit none
  integer, volatile :: three = 3
  double precision :: often = 0, seldom = 0
contains
  integer(8) function work(n, x)
    integer, intent(in) :: n
    integer(8), intent(in) :: x
    integer :: i
    double precision :: start
    work = x; call cpu_time(start); start = -start
    if (iand(n, three) /= 0) then
      do i = 1, 40000
        work = ieor(work, ishft(work, 13)) + 1
      end do
      if (n == three * 1000) work = work + 1
      call add(often, start)
    else
      do i = 1, 40000
        work = ieor(work, ishft(work, 7)) + 3
      end do; call add(seldom, start)
    end if
  end function
  subroutine add(to, start)
    double precision, intent(inout) :: to
    double precision, intent(in) :: start
    double precision :: now
    call cpu_time(now)
    to = to + now + start
  end subroutine
end module
program main
  use branches
  implicit none
  integer(8) :: x = 1
  integer :: n = 0
  do while (often + seldom < 0.4)
    x = work(n, x)
    n = n + 1
  end do
  print '(f5.3,i2)', often / (often + seldom), merge(1, 0, x == 0)
end program
