! SPDX-License-Identifier: GPL-3.0-or-later
! Of each turn alpha takes 60 %, beta 40 %; both are inlined where anything is.
program split
    use iso_fortran_env, only: int64, real64
    implicit none
    integer(int64) :: x
    real(real64) :: now
    integer :: turn, random

    x = 1
    random = 1
    turn = 0
    do
        call cpu_time(now)
        if (now > 1.2) exit
        random = modulo(random * 1103 + 12345, 32768)
        call alpha(x, 6 * (5000 + modulo(random, 10000)))
        call beta(x, 4 * (5000 + modulo(random, 10000)))
        turn = turn + 1
    end do
    print *, x, turn
contains
    subroutine alpha(x, steps)
        integer(int64), intent(inout) :: x
        integer, intent(in) :: steps
        integer :: i
        do i = 1, steps
            x = x * 1481765933_int64 + 11
        end do
    end subroutine
    subroutine beta(x, steps)
        integer(int64), intent(inout) :: x
        integer, intent(in) :: steps
        integer :: i
        do i = 1, steps
            x = x * 1284865837_int64 + 11
        end do
    end subroutine
end program
