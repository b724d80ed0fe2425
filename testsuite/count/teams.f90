! SPDX-License-Identifier: GPL-3.0-or-later
! As regions.c: with what gfortran makes of the constructs.
program p
  use omp_lib
  implicit none
  integer :: i, k, s, a(100), t
  s = 0
  a = 0
  !$omp parallel do num_threads(3) reduction(+:s)
  do i = 1, 100
    select case (mod(i, 4))       != 100
    case (0)
      s = s + 1                   != 25
    case default
      s = s + 2                   != 75
    end select
    if (i > 50) then              != 100
      a(i) = 1                    != 50
    end if
  end do
  !$omp end parallel do
  !$omp parallel sections num_threads(2)
  !$omp section
  a(1) = 5                        != 1
  !$omp section
  do k = 1, 10
    a(2) = k                      != 10
  end do
  !$omp end parallel sections
  !$omp parallel num_threads(2) private(k)
  k = omp_get_thread_num()        != 2
  !$omp single
  do t = 1, 7
    !$omp task firstprivate(t)
    a(t + 10) = t                 != 7
    if (t == 4) then              != 7
      a(t + 20) = t               != 1
    end if
    !$omp end task
  end do
  !$omp taskwait
  !$omp end single
  !$omp do schedule(dynamic)
  do i = 1, 10
    if (mod(i, 2) == 0) cycle     != 10
    a(i + 30) = i                 != 5
  end do
  !$omp end do
  !$omp workshare
  a(41:50) = 4
  !$omp end workshare
  !$omp critical
  a(60) = a(60) + 1               != 2
  !$omp end critical
  !$omp end parallel
  !$omp target map(tofrom: s)
  s = s + 1                       != 1
  do i = 1, 3
    s = s + 1                     != 3
  end do
  !$omp end target
  do i = 1, 3
    !$omp simd
    do k = 1, 20
      a(k + 70) = k               != 60
    end do
  end do
  !$omp taskloop
  do i = 1, 9
    a(i) = i                      != 9
  end do
  call deep(3)                    != 1
  print *, s, a(1), a(60)         != 1
contains
  subroutine deep(n)
    integer, intent(in) :: n
    integer :: z
    !$omp parallel do num_threads(2) collapse(2) private(k)
    do z = 1, n
      do k = 1, 4
        if (z == k) a(z) = k      != 12
        a(k) = inner(z, k)        != 12
      end do
    end do
  end subroutine
  integer function inner(x, y)
    integer, intent(in) :: x, y
    inner = x                     != 12
    if (y > 2) then               != 12
      inner = y                   != 6
    end if
  end function
end program
