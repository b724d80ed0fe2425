! SPDX-License-Identifier: GPL-3.0-or-later
! Allocates, and prints what, as known.c does.
module shapes
    implicit none
    type point
        real(8) :: x, y, z
    end type
contains
    subroutine table(n)
        integer, intent(in) :: n
        real(8), allocatable :: a(:, :)
        allocate (a(n, n))
        a = 1
        if (sum(a) < 0) stop 1
    end subroutine

    subroutine single(p)
        type(point), pointer, intent(out) :: p
        allocate (p)
        p%x = 1
    end subroutine
end module

program levels
    use shapes
    implicit none
    type(point), pointer, volatile :: p
    integer, allocatable :: list(:)
    integer :: i
    do i = 1, 10
        call table(i)
    end do
    call single(p)
    allocate (list(100))
    list = i
    if (sum(list) < 0 .or. p%x < 0) stop 1
    print '(a)', 'shapes.table 3080 10', 'shapes.single 24 1', 'levels 400 1'
end program
