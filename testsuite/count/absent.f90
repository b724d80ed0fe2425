! SPDX-License-Identifier: GPL-3.0-or-later
! What a main program contains is compiled only if it is called.
!: <gfortran main> 1, absent 1, absent.called 1, absent.not_referred_to 0, absent.under_false 0
program absent
    implicit none
    if (called(1) /= 0) stop 1
    if (.false.) print *, under_false(3)
contains
    integer function called(x)
        integer, intent(in) :: x
        called = x - 1
    end function
    integer function under_false(x)
        integer, intent(in) :: x
        under_false = x + 1
    end function
    integer function not_referred_to(x)
        integer, intent(in) :: x
        not_referred_to = x + 2
    end function
end program
