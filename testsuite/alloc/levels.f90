! SPDX-License-Identifier: GPL-3.0-or-later
! Allocates, and prints lines NAME BYTES BLOCKS; lines say it as those of heap/lines.c do. What a procedure has in
! variables of its own is freed.
module shapes
    implicit none
    type point
        real(8) :: x, y, z
    end type
    type(point), allocatable :: points(:)
contains
    subroutine table(n)
        integer, intent(in) :: n
        real(8), allocatable :: a(:, :)
        complex(4), allocatable :: z(:)
        allocate (a(n, n)) ! gets 10 3080 keeps 0 0
        allocate (z(n)) ! gets 10 440 keeps 0 0
        a = 1
        z = n
        if (sum(a) < 0 .or. real(sum(z)) < 0) stop 1
    end subroutine

    subroutine single(p)
        type(point), pointer, intent(out) :: p
        allocate (p) ! gets 1 24 keeps 1 24
        p%x = 1
    end subroutine
end module

program levels
    use shapes
    implicit none
    ! Without volatile GCC 16 sees that it need not be allocated.
    type(point), pointer, volatile :: p
    integer, pointer :: list(:)
    integer :: i
    do i = 1, 10
        call table(i)
    end do
    call single(p)
    allocate (points(5)) ! gets 1 120 keeps 1 120
    points%x = 1
    allocate (list(100)) ! gets 1 400 keeps 1 400
    list = i
    if (sum(list) < 0 .or. sum(points%x) < 0 .or. p%x < 0) stop 1
    print '(a)', 'shapes.table 3520 20', 'shapes.single 24 1', 'levels 520 2'
end program
