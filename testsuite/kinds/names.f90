! SPDX-License-Identifier: GPL-3.0-or-later
! Fortran's names: a module's procedures, a procedure contained in one, one that is
! contained in the program, one outside of all, and an OpenMP body on request.

module kernels
    use iso_fortran_env, only: int64
    implicit none
    integer(int64) :: sink = 0
contains
    subroutine alpha(x, steps)
        integer(int64), intent(inout) :: x
        integer, intent(in) :: steps
        integer :: i

        do i = 1, steps
            x = x * int(z'5851f42d', int64) + 11
        end do
    end subroutine alpha

    subroutine outer(x, steps)
        integer(int64), intent(inout) :: x
        integer, intent(in) :: steps

        call inner
    contains
        subroutine inner
            integer :: i

            do i = 1, steps
                x = x * int(z'4c957f2d', int64) + 11
            end do
        end subroutine inner
    end subroutine outer
end module kernels

subroutine outside(x, steps)
    use iso_fortran_env, only: int64
    implicit none
    integer(int64), intent(inout) :: x
    integer, intent(in) :: steps
    integer :: i

    do i = 1, steps
        x = x * int(z'1b873593', int64) + 11
    end do
end subroutine outside

program names
    use kernels
    implicit none
    integer(int64) :: x = 1
    integer :: i, unit = 200000
    ! The time of alpha and of outer; the test goes by their proportion.
    real :: first = 0, second = 0, start, middle, end

    do i = 1, 100
        ! Of uneven length, so that no clock beats in step with it.
        unit = 100000 + int(mod(unit * 7919_int64, 600011_int64))
        call cpu_time(start)
        call alpha(x, 3 * unit)
        call cpu_time(middle)
        call outer(x, 2 * unit)
        call cpu_time(end)
        first = first + (middle - start)
        second = second + (end - middle)
        call outside(x, 1000)
        call within(1000)
    end do
    print '(z16.16)', x
    print '(a, f6.2)', 'first: ', 100 * first / (first + second)
contains
    subroutine within(steps)
        integer, intent(in) :: steps
        integer :: k

        do k = 1, steps
            x = x * int(z'369dea0f', int64) + 11
        end do
    end subroutine within
end program names
