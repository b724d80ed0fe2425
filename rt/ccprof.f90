! SPDX-License-Identifier: MIT
! The calls of ccprof(3) for profiled programs in Fortran. Compile this file with the program
! and link with -lccprof_api. In a program that is not profiled, the calls do nothing.
!
! STAT is set to 0 or an errno value. Each error is also reported on standard error, once.

module ccprof
   use, intrinsic :: iso_c_binding, only: c_ptr, c_null_ptr, c_int, c_long, c_char, &
                                          c_null_char, c_associated, c_loc
   implicit none
   private
   public :: ccprof_data, ccprof_on, ccprof_start, ccprof_stop, ccprof_write, &
             ccprof_data_new, ccprof_data_free, ccprof_data_write, ccprof_data_equals, &
             ccprof_with_data, ccprof_label_begin, ccprof_label_end, ccprof_chain_print, &
             ccprof_region, ccprof_region_begin, ccprof_region_end

   integer, parameter :: region_length = 63

   ! A data set. A variable that was not assigned means the first data set, which always exists.
   type :: ccprof_data
      private
      type(c_ptr) :: unit = c_null_ptr
   end type ccprof_data

   type, bind(c) :: site
      type(c_ptr) :: name = c_null_ptr
      integer(c_long) :: number = 0
   end type site

   ! A region whose real time is measured: `type(ccprof_region), save :: load =
   ! ccprof_region('load')'. SAVE is not needed in a module or a main program. Two regions
   ! with the same name are one region.
   type :: ccprof_region
      character(len=region_length) :: name
      type(site), private :: at
      character(len=region_length + 1, kind=c_char), private :: text = ' '
   end type ccprof_region

   type, bind(c) :: stretch
      type(c_ptr) :: before
      integer(c_int) :: error
   end type stretch

   interface
      ! Resumes sampling in all threads after ccprof_stop.
      subroutine ccprof_start() bind(c, name='ccprof_f_start')
      end subroutine ccprof_start

      ! Stops sampling in all threads until ccprof_start is called.
      subroutine ccprof_stop() bind(c, name='ccprof_f_stop')
      end subroutine ccprof_stop

      ! Prints the chain of calls to the file descriptor (2: standard error), one line for each
      ! frame.
      subroutine ccprof_chain_print(descriptor) bind(c, name='ccprof_f_chain_print')
         import :: c_int
         integer(c_int), value :: descriptor
      end subroutine ccprof_chain_print

      function c_on() result(on) bind(c, name='ccprof_f_on')
         import :: c_int
         integer(c_int) :: on
      end function c_on

      function c_write(file) result(error) bind(c, name='ccprof_f_write')
         import :: c_int, c_char
         character(kind=c_char), intent(in) :: file(*)
         integer(c_int) :: error
      end function c_write

      function c_data_new() result(unit) bind(c, name='ccprof_f_data_new')
         import :: c_ptr
         type(c_ptr) :: unit
      end function c_data_new

      function c_data_free(unit) result(error) bind(c, name='ccprof_f_data_free')
         import :: c_ptr, c_int
         type(c_ptr), value :: unit
         integer(c_int) :: error
      end function c_data_free

      function c_data_write(unit, file) result(error) bind(c, name='ccprof_f_data_write')
         import :: c_ptr, c_int, c_char
         type(c_ptr), value :: unit
         character(kind=c_char), intent(in) :: file(*)
         integer(c_int) :: error
      end function c_data_write

      function c_stretch_begin(unit) result(entered) bind(c, name='ccprof_f_stretch_begin')
         import :: c_ptr, stretch
         type(c_ptr), value :: unit
         type(stretch) :: entered
      end function c_stretch_begin

      subroutine c_stretch_end(entered) bind(c, name='ccprof_f_stretch_end')
         import :: stretch
         type(stretch), intent(in) :: entered
      end subroutine c_stretch_end

      function c_label_begin(name) result(error) bind(c, name='ccprof_f_label_begin')
         import :: c_int, c_char
         character(kind=c_char), intent(in) :: name(*)
         integer(c_int) :: error
      end function c_label_begin

      subroutine c_region_begin(region) bind(c, name='ccprof_f_region_begin')
         import :: site
         type(site), intent(inout) :: region
      end subroutine c_region_begin

      subroutine c_region_end(region) bind(c, name='ccprof_f_region_end')
         import :: site
         type(site), intent(inout) :: region
      end subroutine c_region_end

      function c_label_end() result(error) bind(c, name='ccprof_f_label_end')
         import :: c_int
         integer(c_int) :: error
      end function c_label_end
   end interface

   abstract interface
      subroutine work()
      end subroutine work
   end interface

contains

   subroutine set_status(stat, error)
      integer, intent(out), optional :: stat
      integer(c_int), intent(in) :: error
      if (present(stat)) stat = error
   end subroutine set_status

   ! Returns whether samples are being taken.
   logical function ccprof_on()
      ccprof_on = c_on() /= 0
   end function ccprof_on

   ! Writes a profile: all samples so far that are not in another file yet. The run goes on.
   subroutine ccprof_write(file, stat)
      character(len=*), intent(in) :: file
      integer, intent(out), optional :: stat
      call set_status(stat, c_write(trim(file) // c_null_char))
   end subroutine ccprof_write

   function ccprof_data_new() result(data)
      type(ccprof_data) :: data
      data%unit = c_data_new()
   end function ccprof_data_new

   subroutine ccprof_data_free(data, stat)
      type(ccprof_data), intent(in) :: data
      integer, intent(out), optional :: stat
      call set_status(stat, c_data_free(data%unit))
   end subroutine ccprof_data_free

   ! Moves the samples of the data set to the file.
   subroutine ccprof_data_write(data, file, stat)
      type(ccprof_data), intent(in) :: data
      character(len=*), intent(in) :: file
      integer, intent(out), optional :: stat
      call set_status(stat, c_data_write(data%unit, trim(file) // c_null_char))
   end subroutine ccprof_data_write

   logical function ccprof_data_equals(one, other)
      type(ccprof_data), intent(in) :: one, other
      if (c_associated(one%unit)) then
         ccprof_data_equals = c_associated(one%unit, other%unit)
      else
         ccprof_data_equals = .not. c_associated(other%unit)
      end if
   end function ccprof_data_equals

   ! Calls PROCEDURE while the data set is current in the calling thread.
   subroutine ccprof_with_data(data, procedure, stat)
      type(ccprof_data), intent(in) :: data
      procedure(work) :: procedure
      integer, intent(out), optional :: stat
      type(stretch) :: entered
      entered = c_stretch_begin(data%unit)
      call procedure()
      call c_stretch_end(entered)
      call set_status(stat, max(entered%error, 0_c_int))
   end subroutine ccprof_with_data

   ! Begins a phase of the calling thread.
   subroutine ccprof_label_begin(name, stat)
      character(len=*), intent(in) :: name
      integer, intent(out), optional :: stat
      call set_status(stat, c_label_begin(trim(name) // c_null_char))
   end subroutine ccprof_label_begin

   ! Ends the innermost open phase of the calling thread.
   subroutine ccprof_label_end(stat)
      integer, intent(out), optional :: stat
      call set_status(stat, c_label_end())
   end subroutine ccprof_label_end

   ! Begins the region in the calling thread, inside the thread's open regions.
   subroutine ccprof_region_begin(region)
      type(ccprof_region), intent(inout), target :: region
      if (.not. c_associated(region%at%name)) then
         region%text = trim(region%name) // c_null_char
         region%at%name = c_loc(region%text)
      end if
      call c_region_begin(region%at)
   end subroutine ccprof_region_begin

   ! Ends all inner regions, then the latest execution of this region that is still open.
   subroutine ccprof_region_end(region)
      type(ccprof_region), intent(inout), target :: region
      if (c_associated(region%at%name)) call c_region_end(region%at)
   end subroutine ccprof_region_end

end module ccprof
