! SPDX-License-Identifier: GPL-3.0-or-later
! How often each statement is executed, of the language's constructs.
module kinds
  implicit none
  type shape
    real :: side = 1
  end type
  type, extends(shape) :: box
  end type
  type, extends(shape) :: disc
  end type
contains
  integer function pick(s)
    integer, intent(in) :: s
    select case (s)        != 100
    case (:10)
      pick = 1             != 10
    case (11:30)
      pick = 2             != 20
    case default
      pick = 3             != 70
    end select
  end function
  subroutine once(s, r)
    integer, intent(in) :: s
    integer, intent(out) :: r
    select case (s)        != 1
    case (:10)
      r = 1                != 0
    case (11:30)
      r = 2                != 1
    case default
      r = 3                != 0
    end select
  end subroutine
  integer function letter(c)
    character(*), intent(in) :: c
    letter = 0             != 6
    select case (c)        != 6
    case ('one', 'two')
      letter = 1           != 2
    case ('three')
      letter = 3           != 1
      letter = letter + 1  != 1
    case ('a':'b')
      continue
    case default
      letter = 9           != 2
    end select
  end function
  integer function single(c)
    character, intent(in) :: c
    single = 0             != 5
    select case (c)        != 5
    case ('x')
      single = 1           != 2
    case default
      single = 2           != 3
    end select
  end function
  integer function truth(l)
    logical, intent(in) :: l
    logical :: copy
    copy = l               != 7
    select case (copy)     != 7
    case (.true.)
      truth = 1            != 4
      truth = truth + 1    != 4
    case (.false.)
      truth = 2            != 3
    end select
  end function
  integer function empty(s)
    integer, value :: s
    empty = 1              != 9
    select case (s)        != 9
    case (1)
    case (2)
      if (empty == 1) then != 1
        empty = 2          != 1
      end if
    case default
      empty = 3            != 7
    end select
    empty = empty + 1      != 9
  end function
  real function area(s)
    class(shape), intent(in) :: s
    select type (s)        != 9
    type is (box)
      area = s%side ** 2   != 5
    type is (disc)
      area = 3 * s%side    != 3
      area = area * s%side != 3
    class default
      area = 0             != 1
    end select
  end function
  integer function loops(n)
    integer, intent(in) :: n
    integer :: i, k
    loops = 0                       != 2
    do i = 1, n
      if (mod(i, 3) == 0) cycle     != 20
      loops = loops + 1             != 14
    end do
    do i = 1, n, 2
      loops = loops + 1             != 10
      if (loops < 0) exit           != 10
    end do
    k = 0                           != 2
    do while (k < n)
      k = k + 1                     != 20
      if (mod(k, 2) == 0) cycle     != 20
      loops = loops + 1             != 10
    end do
    k = 0                           != 2
    do
      k = k + 1                     != 20
      if (k == n) exit              != 20
      if (k < 5) then               != 18
        loops = loops + 1           != 8
      else if (k < 8) then          != 10
        loops = loops + 2           != 6
      else
        loops = loops + 3           != 4
      end if
    end do
    do k = n, 1, -1
      select case (k)               != 20
      case (1)
        loops = loops + 1           != 2
      case (2:4)
        if (n > 100) then           != 6
          loops = loops + 1         != 0
        end if
      end select
    end do
    loops = loops + 1               != 2
  end function
  integer function nested(n)
    integer, intent(in) :: n
    integer :: i, j
    nested = 0                      != 1
    outer: do i = 1, n
      do j = 1, n
        if (j > i) cycle outer      != 15
        if (i == 5) exit outer      != 11
        nested = nested + 1         != 10
      end do
    end do outer
    nested = nested + 1             != 1
  end function
  integer function jumps(n)
    integer, intent(in) :: n
    jumps = 0                       != 6
    goto (10, 20, 30), n            != 6
    jumps = 4                       != 3
    goto 40                         != 3
10  jumps = 1                       != 1
    goto 40                         != 1
20  continue
    jumps = 2                       != 1
    goto 40                         != 1
30  jumps = 3                       != 1
40  jumps = jumps + 1               != 6
    if (n - 2) 50, 60, 70           != 6
50  jumps = jumps + 1               != 2
    return                          != 2
60  jumps = jumps + 2               != 1
70  jumps = jumps + 3               != 4
  end function
  subroutine arrays(a, b, n)
    integer, intent(in) :: n
    real, intent(inout) :: a(n), b(n)
    integer :: i
    do concurrent (i = 1:n)
      a(i) = a(i) + 1               != 20
      b(i) = a(i)                   != 20
    end do
    if (n > 100) then               != 2
      a = b                         != 0
    end if
    b(1) = 0                        != 2
    block
      real :: t
      t = b(1)                      != 2
      associate (x => b(2))
        x = t + 1                   != 2
      end associate
    end block
    b(2) = b(2) + 1                 != 2
    call inner(b(3))                != 2
  contains
    subroutine inner(x)
      real, intent(inout) :: x
      x = x + 1                     != 2
    end subroutine
  end subroutine
  subroutine first(r)
    integer, intent(inout) :: r
    r = r + 1                       != 3
    entry second(r)
    r = r + 2                       != 5
  end subroutine
end module
program main
  use kinds
  implicit none
  integer :: i, r
  real :: a(10), b(10)
  r = 0                             != 1
  do i = 1, 100
    r = r + pick(i)                 != 100
  end do
  call once(24, i)                  != 1
  r = r + letter('one') + letter('two') + letter('three') + letter('a') + letter('z') + letter('') != 1
  r = r + single('x')               != 1
  r = r + single('x') + single('y') + single('z') + single('w') != 1
  do i = 1, 7
    r = r + truth(i < 5)            != 7
  end do
  do i = 1, 9
    r = r + empty(i)                != 9
  end do
  do i = 1, 9
    if (i < 6) then                 != 9
      a(1) = area(box())            != 5
    else if (i < 9) then            != 4
      a(1) = area(disc())           != 3
    else
      a(1) = area(shape())          != 1
    end if
  end do
  r = r + loops(10)                 != 1
  r = r + loops(10)                 != 1
  r = r + nested(9)                 != 1
  do i = 0, 5
    r = r + jumps(i)                != 6
  end do
  a = 0
  b = 0
  do i = 1, 2
    call arrays(a, b, 10)           != 2
  end do
  do i = 1, 3
    call first(r)                   != 3
  end do
  do i = 1, 2
    call second(r)                  != 2
  end do
  print *, r, a(1), b(1)            != 1
end program
