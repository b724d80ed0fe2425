! SPDX-License-Identifier: GPL-3.0-or-later
! Threads of OpenMP with known CPU times.
program omp
  use omp_lib
  use iso_c_binding, only: c_int
  implicit none
  interface
     subroutine work(part) bind(c)
       import :: c_int
       integer(c_int), value :: part
     end subroutine work
     subroutine told() bind(c)
     end subroutine told
  end interface
  !$omp parallel num_threads(3)
  call work(int(omp_get_thread_num() + 1, c_int))
  !$omp end parallel
  call told()
end program omp
