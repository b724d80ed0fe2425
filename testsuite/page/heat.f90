! For fortran.py. In this comment! there are 'no signs'.
program heat
  implicit none
  integer, parameter :: cells = 1000
  real(8) :: now(0:cells), next(0:cells), sum
  real(8), allocatable :: spare(:)
  integer :: step, i
  now = 0.0d0 ! cold
  now(0) = 1.0d0
  next = now
  do step = 1, 40000
    ! what is hot
    do i = 1, cells - 1
      next(i) = now(i) + 0.25d0 * (now(i - 1) - 2.0d0 * now(i) + now(i + 1)) / (1.0d0 + 1.0d-3 * now(i)) ! hot
    end do
    now(1:cells - 1) = next(1:cells - 1)
  end do
  sum = 0.0d0
  do i = 0, cells
    sum = sum + &
      ! in the middle of a statement

      sqrt(abs(now(i))) * &
      & 0.5d0
  end do
  allocate(spare(cells))
  spare = now(1:)
  if (spare(1) < 0) deallocate(spare)
  if (allocated(spare)) deallocate( &
    spare)
  print *, 'sum!', sum ! told
end program
