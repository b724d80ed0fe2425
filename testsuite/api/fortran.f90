! SPDX-License-Identifier: GPL-3.0-or-later
! Each procedure of the module; what it returns is checked, for a program that is profiled and for one that is not.
! A tenth of a second in a unit, as long in a phase, as long that is not sampled, and as long in no unit. Then three
! times a region with another one twice in it.

program fortran
   use ccprof
   implicit none
   type(ccprof_data) :: first, unit, other
   type(ccprof_region), save :: load = ccprof_region('load'), part = ccprof_region('part')
   integer :: stat, wrong
   integer :: i
   integer(8) :: burnt = 0
   logical :: profiled

   profiled = ccprof_on()
   unit = ccprof_data_new()
   other = ccprof_data_new()
   wrong = merge(22, 0, profiled)
   if (.not. ccprof_data_equals(unit, unit)) stop 2
   if (ccprof_data_equals(unit, other) .and. profiled) stop 3
   if (ccprof_data_equals(first, unit) .and. profiled) stop 4
   if (.not. ccprof_data_equals(first, first)) stop 5

   call ccprof_with_data(unit, burn, stat)
   if (stat /= 0) stop 6
   call ccprof_label_begin('a phase  ')
   call burn()
   call ccprof_label_end()
   call ccprof_label_end(stat)
   if (stat /= wrong) stop 7
   call ccprof_stop()
   if (ccprof_on()) stop 8
   call burn()
   call ccprof_start()
   if (ccprof_on() .neqv. profiled) stop 9

   call ccprof_write('copy.out', stat)
   if (stat /= 0) stop 10
   call ccprof_data_write(unit, 'unit.out  ', stat)
   if (stat /= 0) stop 11
   call ccprof_data_write(first, 'nowhere/first.out', stat)
   if (stat /= merge(2, 0, profiled)) stop 12
   call ccprof_data_free(unit)
   call ccprof_data_free(unit, stat)
   if (stat /= wrong) stop 13
   call ccprof_with_data(unit, burn, stat)
   if (stat /= wrong) stop 14
   print '(l1)', profiled

   do i = 1, 3
      call ccprof_region_begin(load)
      call load_part()
      call load_part()
      call ccprof_region_end(load)
   end do
contains
   subroutine load_part()
      call ccprof_region_begin(part)
      call ccprof_region_end(part)
   end subroutine load_part

   subroutine burn()
      real :: start, now
      integer :: i
      call cpu_time(start)
      do
         do i = 1, 100000
            burnt = ieor(burnt * 5_8 + i, 77_8)
         end do
         call cpu_time(now)
         if (now - start >= 0.1) exit
      end do
   end subroutine burn
end program fortran
