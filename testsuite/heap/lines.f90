! SPDX-License-Identifier: GPL-3.0-or-later
! As lines.c; what is allocatable is freed.
module work
    implicit none
contains
    subroutine fill(n)
        integer, intent(in) :: n
        real(8), allocatable :: a(:, :)
        allocate (a(n, 2)) ! gets 4 160 keeps 0 0
        a = n
        if (sum(a) < 0) stop 1
    end subroutine
end module

program lines
    use work
    implicit none
    integer, pointer :: list(:)
    integer :: i
    do i = 1, 4
        call fill(i)
    end do
    allocate (list(100)) ! gets 1 400 keeps 1 400
    list = 1
    if (sum(list) < 0) stop 1
end program
