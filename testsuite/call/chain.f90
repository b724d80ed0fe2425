! SPDX-License-Identifier: GPL-3.0-or-later
module parts
   use ccprof
   implicit none
   integer, volatile :: work = 0
contains
   subroutine inner(n)
      integer, intent(in) :: n
      if (n > 0) call ccprof_chain_print(1) ! // inner
      work = work + 1
   end subroutine inner
   subroutine outer(n)
      integer, intent(in) :: n
      call inner(n) ! // outer
      work = work + 1
   end subroutine outer
end module parts

program chain
   use parts
   implicit none
   call outer(command_argument_count() + 1) ! // chain
end program chain
