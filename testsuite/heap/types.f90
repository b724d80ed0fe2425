! SPDX-License-Identifier: GPL-3.0-or-later
! Allocates, and prints `BLOCKS BYTES TYPE', as types.c does.
module shapes
    implicit none
    type point
        real(8) :: x, y, z
    end type
    type(point), allocatable :: points(:)
contains
    subroutine local(n)
        integer, intent(in) :: n
        real(8), allocatable :: a(:, :)
        complex(4), allocatable :: z(:)
        allocate (a(n, 2))
        allocate (z(n))
        a = n
        z = n
        if (sum(a) < 0 .or. real(sum(z)) < 0) stop 1
    end subroutine
end module

program types
    use shapes
    implicit none
    ! Without volatile GCC 16 sees that it need not be allocated.
    type(point), pointer, volatile :: one
    integer, pointer :: list(:)
    integer :: i
    do i = 1, 4
        call local(i)
    end do
    allocate (points(5))
    points%x = 1
    allocate (one)
    one%x = sum(points%x)
    allocate (list(100))
    list = 1
    if (sum(list) < 0 .or. one%x < 0) stop 1
    print '(a)', '4 160 real(kind=8)', '4 80 complex(kind=4)', '2 144 point', '1 400 integer(kind=4)'
end program
