! SPDX-License-Identifier: GPL-3.0-or-later
! A heat equation by conjugate gradients, a dense system by elimination with pivots, and
! a recursive quadrature: array expressions, allocatable arrays, derived types, select
! case, internal procedures, complex numbers. Prints checksums.
! solver [SIZE]

module grids
    implicit none
    integer, parameter :: dp = kind(1.0d0)

    type :: grid
        integer :: n = 0
        real(dp), allocatable :: u(:, :)
    end type grid

    abstract interface
        function integrand(x)
            import :: dp
            real(dp), intent(in) :: x
            real(dp) :: integrand
        end function integrand
    end interface
contains
    subroutine make(self, n)
        type(grid), intent(out) :: self
        integer, intent(in) :: n
        integer :: i, j
        self%n = n
        allocate (self%u(0:n + 1, 0:n + 1))
        do j = 0, n + 1
            do i = 0, n + 1
                select case (mod(i*7 + j*3, 5))
                case (0)
                    self%u(i, j) = 1
                case (1:2)
                    self%u(i, j) = -0.5_dp
                case default
                    self%u(i, j) = 0.25_dp*real(i - j, dp)/n
                end select
            end do
        end do
    end subroutine make

    subroutine laplace(x, y)
        real(dp), intent(in) :: x(0:, 0:)
        real(dp), intent(inout) :: y(0:, 0:)
        integer :: i, j
        do j = 1, ubound(x, 2) - 1
            do i = 1, ubound(x, 1) - 1
                y(i, j) = 4.1_dp*x(i, j) - x(i - 1, j) - x(i + 1, j) - x(i, j - 1) - x(i, j + 1)
            end do
        end do
    end subroutine laplace

    function gradients(b, tolerance) result(steps)
        type(grid), intent(inout) :: b
        real(dp), intent(in) :: tolerance
        integer :: steps
        real(dp), allocatable, dimension(:, :) :: x, r, p, q
        real(dp) :: alpha, rr, rr_new
        allocate (x, r, p, q, mold=b%u)
        x = 0
        q = 0
        r = 0
        r(1:b%n, 1:b%n) = b%u(1:b%n, 1:b%n)
        p = r
        rr = sum(r*r)
        do steps = 1, 1000
            call laplace(p, q)
            alpha = rr/sum(p*q)
            x = x + alpha*p
            r = r - alpha*q
            rr_new = sum(r*r)
            if (rr_new < tolerance) exit
            p = r + (rr_new/rr)*p
            rr = rr_new
        end do
        b%u = x
    end function gradients

    subroutine eliminate(a, x, singular)
        complex(dp), intent(inout) :: a(:, :), x(:)
        logical, intent(out) :: singular
        integer :: k, i, pivot
        complex(dp) :: row(size(x)), factor, value
        singular = .true.
        do k = 1, size(x)
            pivot = k - 1 + maxloc(abs(a(k:, k)), dim=1)
            if (abs(a(pivot, k)) < 1e-12_dp) return
            if (pivot /= k) then
                row = a(k, :)
                a(k, :) = a(pivot, :)
                a(pivot, :) = row
                value = x(k)
                x(k) = x(pivot)
                x(pivot) = value
            end if
            do i = k + 1, size(x)
                factor = a(i, k)/a(k, k)
                a(i, k:) = a(i, k:) - factor*a(k, k:)
                x(i) = x(i) - factor*x(k)
            end do
        end do
        do k = size(x), 1, -1
            x(k) = (x(k) - sum(a(k, k + 1:)*x(k + 1:)))/a(k, k)
        end do
        singular = .false.
    end subroutine eliminate

    recursive function integral(f, a, b, error) result(area)
        procedure(integrand) :: f
        real(dp), intent(in) :: a, b, error
        real(dp) :: area, middle, coarse
        middle = (a + b)/2
        coarse = (b - a)/6*(f(a) + 4*f(middle) + f(b))
        area = (b - a)/12*(f(a) + 4*f((a + middle)/2) + 2*f(middle) + 4*f((middle + b)/2) + f(b))
        if (abs(area - coarse) > error) &
            area = integral(f, a, middle, error/2) + integral(f, middle, b, error/2)
    end function integral
end module grids

program solver
    use grids
    implicit none
    type(grid) :: heat
    character(16) :: argument
    complex(dp), allocatable :: a(:, :), x(:)
    integer :: n, i, j, steps
    logical :: singular
    real(dp) :: frequency
    n = 500
    if (command_argument_count() > 0) then
        call get_command_argument(1, argument)
        read (argument, *) n
    end if
    call make(heat, n)
    steps = gradients(heat, 1e-10_dp)
    print '(a,i0,a,es16.9)', 'steps ', steps, ' sum ', sum(heat%u)
    allocate (a(n, n), x(n))
    do j = 1, n
        do i = 1, n
            a(i, j) = cmplx(mod(i*j, 11) + merge(n, 0, i == j), mod(i + j, 7), dp)
        end do
        x(j) = cmplx(j, -j, dp)
    end do
    call eliminate(a, x, singular)
    print '(a,l1,a,2es16.8)', 'singular ', singular, ' sum ', sum(x)
    frequency = 40
    print '(a,es16.9)', 'area ', integral(wave, 0.0_dp, 3.0_dp, 1e-12_dp)
contains
    function wave(x)
        real(dp), intent(in) :: x
        real(dp) :: wave
        wave = x*x/(1 + frequency*abs(x - 1)) + frequency*x**3
    end function wave
end program solver
