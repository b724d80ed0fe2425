! SPDX-License-Identifier: GPL-3.0-or-later
! More constructs: nested in each other, over arrays, by rank and type; blocks that free memory at their end.
module m
  implicit none
  type shape
  end type
  type, extends(shape) :: box
  end type
contains
  subroutine wheres(a, b)
    real, intent(inout) :: a(:), b(:)
    where (a > 5)
      b = 1
      b = b + a
    elsewhere (a > 2)
      b = 2
    elsewhere
      b = 3
    end where
    where (b > 2) a = b
  end subroutine
  subroutine foralls(a, n)
    integer, intent(in) :: n
    real, intent(inout) :: a(n, n)
    integer :: i, j
    forall (i = 1:n)
      a(i, i) = i
      a(1, i) = 2
    end forall
    forall (i = 1:n, j = 1:n, i > j) a(i, j) = 3
    do concurrent (i = 1:n, j = 1:n, i /= j)
      if (a(i, j) > 2) then         != 40
        a(i, j) = 1                 != 32
      else
        a(i, j) = 2                 != 8
        a(i, j) = 2                 != 8
      end if
    end do
    a(1, 1) = 0                     != 2
    do concurrent (i = 1:n)
      a(i, i) = 2                   != 10
    end do
    do i = 1, n
      do concurrent (j = 1:n)
        a(i, j) = 2                 != 50
        a(j, i) = 2                 != 50
      end do
    end do
  end subroutine
  subroutine exprs(a, b, n)
    integer, intent(in) :: n
    real, intent(inout) :: a(n), b(n)
    real, allocatable :: c(:)
    integer :: k
    a = b + 1
    b(2:n) = a(1:n-1) * 2
    a = a + b + &
        2 * b
    c = a
    deallocate (c)                  != 2
    allocate (c(0:n), source = 1.0)
    print *, sum(a), maxval(b), (a(k), k = 1, 2)
    deallocate (c)
  end subroutine
  recursive integer function chain(n) result(r)
    integer, intent(in) :: n
    if (n < 1) then                 != 15
      r = 0                         != 2
    else if (n < 3) then            != 13
      r = 1                         != 4
      select case (n)               != 4
      case (1)
        r = 2                       != 2
      case (2)
        r = 3                       != 2
        do while (r < 10)
          r = r + 1                 != 14
        end do
      end select
    else if (n < 5) then            != 9
      select case (mod(n, 2))       != 4
      case (0)
        r = 4                       != 2
        if (r > 3) then             != 2
          r = 5                     != 2
        end if
      case default
        r = 6                       != 2
        if (r > 7) r = 5            != 2
      end select
    else
      r = chain(n - 5)              != 5
    end if
    if (r == 100) return            != 15
    r = r + 1                       != 15
  end function
  integer function ranks(a)
    real, intent(in) :: a(..)
    select rank (a)                 != 4
    rank (0)
      ranks = 1                     != 1
    rank (1)
      ranks = 2                     != 2
      ranks = ranks + 1             != 2
    rank default
      ranks = 5                     != 1
    end select
    ranks = ranks + 1               != 4
  end function
  integer function classes(s)
    class(*), intent(in) :: s
    classes = 0                     != 6
    select type (s)                 != 6
    type is (integer)
      classes = s                   != 2
    type is (real)
      if (s > 1) then               != 1
        classes = 3                 != 1
      end if
    class is (shape)
      classes = 4                   != 2
      classes = classes + 1         != 2
    class default
      classes = 6                   != 1
    end select
    select type (x => s)            != 6
    type is (integer)
      classes = x                   != 2
    end select
  end function
  subroutine blocks(n)
    integer, intent(in) :: n
    integer :: k
    k = n                           != 3
    named: block
      integer, allocatable :: t(:)
      allocate (t(n))               != 3
      t = 1
      if (n == 2) exit named        != 3
      t(1) = 5                      != 2
      k = k + t(1)                  != 2
    end block named
    associate (y => k)
      if (y > 3) then               != 3
        y = 2                       != 2
      end if
    end associate
    if (k == 2) k = 3               != 3
    if (k == 77) stop 'never'       != 3
  end subroutine
  integer function locals(n)
    integer, intent(in) :: n
    logical :: big
    big = n > 3                     != 5
    locals = 0                      != 5
    if (big) locals = 1             != 5
    if (.not. big) then             != 5
      locals = 2                    != 3
      locals = twice(locals)        != 3
    end if
    select case (n > 1)             != 5
    case (.true.)
      locals = 4                    != 4
    case default
      locals = 5                    != 1
      locals = 6                    != 1
    end select
    select case (n)                 != 5
    case (2)
      select case (locals)          != 1
      case (3:5)
        locals = 1                  != 1
      end select
    case (3:)
      if (n == 3) then              != 3
        locals = 2                  != 1
      else if (n == 4) then         != 2
        locals = 3                  != 1
      end if
    end select
  contains
    integer function twice(x)
      integer, intent(in) :: x
      twice = 2 * x                 != 3
    end function
  end function
end module
program p
  use m
  implicit none
  real :: a(10), b(10), c(5, 5)
  integer :: i, k
  a = [(i, i = 1, 10)]
  b = 0
  k = 0
  call wheres(a, b)
  do i = 1, 2
    c = 5
    call foralls(c, 5)
    call exprs(a, b, 10)
  end do
  do i = 0, 4
    k = k + chain(i)                != 5
  end do
  do i = 5, 9
    k = k + chain(i)
  end do
  k = ranks(a(1))
  k = k + ranks(a)
  k = k + ranks(b)
  k = k + ranks(c)
  k = k + classes(1) + classes(2)
  k = k + classes(2.0) + classes(shape())
  k = k + classes(box()) + classes('x')
  do i = 1, 3
    call blocks(i)
  end do
  do i = 1, 5
    k = k + locals(i)
  end do
  print *, k, a(1), c(1, 1)
end program
