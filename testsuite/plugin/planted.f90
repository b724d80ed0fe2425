! Loops of which it is known what GCC does with them (plugin-remarks.test).
module kernels
    implicit none
    integer, parameter :: size = 1024
    interface
        integer function change(x) bind(c)
            integer, value :: x
        end function
    end interface
contains
    subroutine aliased(dst, src)
        real, pointer, contiguous, intent(in) :: dst(:), src(:)
        integer :: i
        do i = 1, size
            dst(i) = src(i) * 2
        end do
    end subroutine
    subroutine apart(dst, src)
        real, intent(out) :: dst(size)
        real, intent(in) :: src(size)
        integer :: i
        do i = 1, size
            dst(i) = src(i) * 2
        end do
    end subroutine
    subroutine counted(a, n)
        integer, intent(in) :: n
        integer, intent(inout) :: a(n)
        integer :: i
        do i = 1, n
            a(i) = a(i) + 3
        end do
    end subroutine
    subroutine calls(a)
        integer, intent(inout) :: a(size)
        integer :: i
        do i = 1, size
            a(i) = change(a(i))
        end do
    end subroutine
    real function reduced(a)
        real, intent(in) :: a(size)
        real :: p
        integer :: i
        p = 1
        do i = 1, size
            p = p * a(i)
        end do
        reduced = p
    end function
end module

program planted
    use kernels
    implicit none
    real, pointer, contiguous :: x(:), y(:)
    integer :: z(size), i
    allocate (x(size), y(size))
    x = 1
    y = 1
    z = 1
    do i = 1, 150000
        call aliased(x, y)
        call apart(x, y)
        call counted(z, size - mod(i, 2))
        if (mod(i, 2) == 0) call calls(z)
        x(1) = x(1) + reduced(y)
    end do
    if (x(1) == 1) stop 1
end program
