! SPDX-License-Identifier: GPL-3.0-or-later
! The same as measured.c for a loop and for sections, and a loop without OpenMP that GCC makes threads
! of with -ftree-parallelize-loops, which has the name `spread'.
module own
  use, intrinsic :: iso_fortran_env, only: real64, int64
  use omp_lib
  implicit none
  real(real64) :: work(0:3, 2) = 0, left(0:3, 2) = 0, waited(2) = 0, inside(2) = 0
  real(real64), volatile :: sink
contains
  subroutine burn(units)
    integer, intent(in) :: units
    real(real64) :: x
    integer(int64) :: i
    x = 1
    do i = 1, 1500000_int64 * units
       x = x * 1.0000001_real64 + 1e-9_real64
    end do
    sink = x
  end subroutine burn

  subroutine measure(units, number)
    integer, intent(in) :: units, number
    real(real64) :: begin
    integer :: thread
    thread = omp_get_thread_num()
    begin = omp_get_wtime()
    call burn(units)
    left(thread, number) = omp_get_wtime()
    work(thread, number) = work(thread, number) + left(thread, number) - begin
  end subroutine measure

  subroutine triangle()
    integer :: i
    !$omp parallel do schedule(static) num_threads(4)
    do i = 1, 8
       call measure(i, 1)
    end do
    !$omp end parallel do
    waited(1) = waited(1) + sum(omp_get_wtime() - left(:, 1))
  end subroutine triangle

  subroutine halves()
    real(real64) :: before
    !$omp parallel num_threads(2) private(before)
    !$omp sections
    !$omp section
    call measure(12, 2)
    !$omp section
    call measure(4, 2)
    !$omp end sections nowait
    before = left(omp_get_thread_num(), 2)
    !$omp barrier
    left(omp_get_thread_num(), 2) = omp_get_wtime()
    !$omp atomic
    inside(2) = inside(2) + omp_get_wtime() - before
    !$omp end parallel
    waited(2) = waited(2) + sum(omp_get_wtime() - left(0:1, 2))
  end subroutine halves

  subroutine spread(a)
    real(real64), intent(inout) :: a(:)
    integer :: i, k
    do concurrent (i = 1:size(a))
       do k = 1, 400
          a(i) = a(i) * 1.0000001_real64 + 1e-9_real64
       end do
    end do
  end subroutine spread
end module own

program measured
  use own
  implicit none
  real(real64) :: begin, a(40000)
  integer :: i
  begin = omp_get_wtime()
  a = 1
  do i = 1, 3
     call triangle()
     call halves()
     if (command_argument_count() > 0) call spread(a)
  end do
  print '(a, 4f10.4)', 'own.triangle', sum(work(:, 1)), inside(1), waited(1), 0.0
  print '(a, 4f10.4)', 'own.halves', sum(work(:, 2)), inside(2), waited(2), 0.0
  if (a(1) < 0) print *, a(1)
end program measured
