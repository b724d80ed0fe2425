! SPDX-License-Identifier: GPL-3.0-or-later
! Regions in Fortran: "load" three times, with "part" twice in each.

module loading
   use ccprof
   implicit none
   type(ccprof_region) :: part = ccprof_region('part')
contains
   subroutine load_part()
      call ccprof_region_begin(part)
      call ccprof_region_end(part)
   end subroutine load_part
end module loading

program regions
   use ccprof
   use loading
   implicit none
   type(ccprof_region), save :: load = ccprof_region('load')
   integer :: i

   do i = 1, 3
      call ccprof_region_begin(load)
      call load_part()
      call load_part()
      call ccprof_region_end(load)
   end do
end program regions
