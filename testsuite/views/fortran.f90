! Counts that are known: sums over triangles of 4 and of 10 rows.
module triangular_numbers
  implicit none
contains
  pure integer function weighted_element(row, column)
    integer, intent(in) :: row, column
    weighted_element = row * column
  end function
  integer function sum_of_triangle(rows)
    integer, intent(in) :: rows
    integer :: row, column
    sum_of_triangle = 0
    do row = 1, rows
      do column = 1, row
        sum_of_triangle = sum_of_triangle + weighted_element(row, column)
      end do
    end do
  end function
end module

program add_triangles
  use triangular_numbers
  implicit none
  integer, volatile :: total
  total = sum_of_triangle(4)
  total = total + sum_of_triangle(10)
end program
