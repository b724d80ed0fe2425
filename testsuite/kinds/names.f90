! SPDX-License-Identifier: GPL-3.0-or-later
! Fortran's names: a module's procedures, a procedure contained in one, one that is
! contained in the program, and one outside of all.

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

    call alpha(x, 1000)
    call outer(x, 1000)
    call outside(x, 1000)
    call within(1000)
    print '(z16.16)', x
contains
    subroutine within(steps)
        integer, intent(in) :: steps
        integer :: k

        do k = 1, steps
            x = x * int(z'369dea0f', int64) + 11
        end do
    end subroutine within
end program names
