! SPDX-License-Identifier: GPL-3.0-or-later
! What stencil.c does, in Fortran; but for the end of a rank.
module work
    implicit none
contains
    function relax(start, n) result(x)
        double precision, intent(in) :: start
        integer, intent(in) :: n
        double precision :: x
        integer :: i
        x = start
        do i = 1, n
            x = x * 0.999d0 + 0.5d0
        end do
    end function

    function smooth(start, n) result(x)
        double precision, intent(in) :: start
        integer, intent(in) :: n
        double precision :: x
        integer :: i
        x = start
        do i = 1, n
            x = x / 1.001d0 + 0.25d0
        end do
    end function
end module

program stencil
    use mpi
    use work
    implicit none
    integer, parameter :: amount = 10000000
    integer :: rank, ranks, error, step, steps
    double precision :: x, total
    real :: start, end, took
    character(len=20) :: word
    call get_command_argument(1, word)
    read (word, *) steps
    call mpi_init(error)
    call mpi_comm_rank(mpi_comm_world, rank, error)
    call mpi_comm_size(mpi_comm_world, ranks, error)
    x = rank
    took = 0
    do step = 1, steps
        call cpu_time(start)
        x = relax(x, merge(amount + amount / 2, amount, rank == ranks - 1))
        call cpu_time(end)
        took = took + end - start
        x = smooth(x, amount / 4)
        call mpi_allreduce(x, total, 1, mpi_double_precision, mpi_sum, mpi_comm_world, error)
        x = total / ranks
    end do
    print '("rank ", i0, f9.4, es12.4)', rank, took, x
    call mpi_finalize(error)
end program
