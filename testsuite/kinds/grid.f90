! SPDX-License-Identifier: GPL-3.0-or-later
! What Fortran makes of a program: arrays and their sections, derived types with bound
! procedures, recursion, internal procedures that are handed on, text.
module grids
    use iso_fortran_env, only: int64, real64
    implicit none

    type, abstract :: field
    contains
        procedure(value_at), deferred :: at
    end type

    abstract interface
        pure function value_at(self, x, y) result(value)
            import :: field, real64
            class(field), intent(in) :: self
            real(real64), intent(in) :: x, y
            real(real64) :: value
        end function
        function reduction(values) result(value)
            import :: real64
            real(real64), intent(in) :: values(:)
            real(real64) :: value
        end function
    end interface

    type, extends(field) :: hill
        real(real64) :: height
    contains
        procedure :: at => hill_at
    end type

    type, extends(field) :: waves
        complex(real64) :: number
    contains
        procedure :: at => waves_at
    end type
contains
    pure function hill_at(self, x, y) result(value)
        class(hill), intent(in) :: self
        real(real64), intent(in) :: x, y
        real(real64) :: value
        value = self%height / (1 + x * x + y * y)
    end function

    pure function waves_at(self, x, y) result(value)
        class(waves), intent(in) :: self
        real(real64), intent(in) :: x, y
        real(real64) :: value
        complex(real64) :: z
        integer :: i
        z = cmplx(x, y, real64)
        do i = 1, 20
            z = z * z + self%number
            if (real(z)**2 + aimag(z)**2 > 4) exit
        end do
        value = i
    end function

    function filled(of, n) result(grid)
        class(field), intent(in) :: of
        integer, intent(in) :: n
        real(real64), allocatable :: grid(:, :)
        integer :: i, j
        allocate (grid(n, n))
        do j = 1, n
            do i = 1, n
                grid(i, j) = of%at(4 * real(i, real64) / n - 2, 4 * real(j, real64) / n - 2)
            end do
        end do
    end function

    subroutine smooth(grid, rounds)
        real(real64), intent(inout) :: grid(:, :)
        integer, intent(in) :: rounds
        integer :: n, m, round
        n = size(grid, 1)
        m = size(grid, 2)
        do round = 1, rounds
            grid(2:n - 1, 2:m - 1) = 0.25_real64 * (grid(1:n - 2, 2:m - 1) + grid(3:n, 2:m - 1) &
                                                    + grid(2:n - 1, 1:m - 2) + grid(2:n - 1, 3:m))
        end do
    end subroutine

    recursive function folded(values, by) result(value)
        real(real64), intent(in) :: values(:)
        procedure(reduction) :: by
        real(real64) :: value, halves(2)
        integer :: n
        n = size(values)
        if (n <= 8) then
            value = by(values)
        else
            halves = [folded(values(:n / 2), by), folded(values(n / 2 + 1:), by)]
            value = by(halves)
        end if
    end function
end module

program grid_test
    use grids
    implicit none
    class(field), allocatable :: of
    real(real64), allocatable :: grid(:, :)
    character(len=80) :: text
    integer, volatile :: n = 120
    integer :: kind, calls = 0

    do kind = 1, 4
        if (mod(kind, 2) == 0) then
            of = hill(height=real(kind, real64))
        else
            of = waves(number=cmplx(-0.4_real64, 0.1_real64 * kind, real64))
        end if
        grid = filled(of, n)
        call smooth(grid, 20)
        grid = matmul(grid, transpose(grid))
        ! A few digits, since the order of operations is the optimiser's.
        write (text, '(a, i2, 2es12.4)') 'grid', kind, &
            folded(reshape(grid, [size(grid)]), largest), sum(grid) / size(grid)
        print '(a)', trim(text)
    end do
    print '(a, i0)', 'calls ', calls
contains
    function largest(values) result(value)
        real(real64), intent(in) :: values(:)
        real(real64) :: value
        calls = calls + 1
        value = maxval(values)
    end function
end program
