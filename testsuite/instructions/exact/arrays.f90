! SPDX-License-Identifier: GPL-3.0-or-later
! Fortran's control flow: array expressions, where, do concurrent, select case, computed
! goto, alternate returns, internal procedures, recursion, entry, optional arguments,
! internal reads and writes with their error labels, stop in a callee.

module work
    implicit none
    integer :: total = 0
contains
    subroutine choose(i, *, *)
        integer, intent(in) :: i
        total = total + i
        if (mod(i, 3) == 1) return 1
        if (mod(i, 3) == 2) return 2
        total = total - 1
    end subroutine choose

    recursive integer function fibonacci(n) result(value)
        integer, intent(in) :: n
        select case (n)
        case (:1)
            value = n
        case default
            value = fibonacci(n - 1) + fibonacci(n - 2)
        end select
    end function fibonacci

    real function scaled(values, factor)
        real, intent(in) :: values(:)
        real, intent(in), optional :: factor
        scaled = sum(values, mask=values > 2)
        if (present(factor)) scaled = scaled*factor
    end function scaled

    integer function parsed(text)
        character(*), intent(in) :: text
        read (text, *, err=10, end=20) parsed
        return
10      parsed = -1
        return
20      parsed = -2
    end function parsed

    subroutine finish(i)
        integer, intent(in) :: i
        total = total + i
        if (i > 3) stop
        total = total*2
    end subroutine finish
end module work

program arrays
    use work
    implicit none
    integer :: i, j, list(30), grid(6, 7)
    real :: values(50)
    complex :: z
    list = [(mod(i*7, 31), i=1, 30)]
    values = real([(i, i=1, 50)])/3
    where (values > 4)
        values = values*2
    elsewhere
        values = -values
    end where
    do concurrent(i=1:6, j=1:7, mod(i + j, 2) == 0)
        grid(i, j) = i*j
    end do
    do concurrent(i=1:6, j=1:7, mod(i + j, 2) == 1)
        grid(i, j) = i - j
    end do
    do i = 1, 10
        call choose(i, *100, *200)
        cycle
100     total = total + 5
        cycle
200     total = total*2
    end do
    z = (1, 2)
    outer: do i = 1, 8
        do j = 1, 8
            if (i*j > 30) exit outer
            if (mod(i*j, 5) == 0) cycle outer
            z = z*(0.5, 0.1) + j
        end do
    end do outer
    total = total + fibonacci(10) + maxval(list) + maxloc(list, 1) + count(grid > 3) + sum(matmul(grid, transpose(grid)))
    total = total + parsed('12') + parsed('x') + parsed('') + nint(scaled(values)) + nint(scaled(values, 0.5)) + nint(abs(z))
    print *, total
    do i = 1, 100
        total = total + inner(i)
        call finish(i)
    end do
contains
    integer function inner(n)
        integer, intent(in) :: n
        inner = n*list(mod(n, 30) + 1)
    end function inner
end program arrays
