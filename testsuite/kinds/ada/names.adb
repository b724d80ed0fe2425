--  SPDX-License-Identifier: GPL-3.0-or-later

with Ada.Execution_Time; use Ada.Execution_Time;
with Ada.Real_Time; use Ada.Real_Time;
with Ada.Text_IO;
with Interfaces; use Interfaces;
with Kernels;

procedure Names is
   X    : Unsigned_64 := 1;
   Unit : Positive := 200_000;

   --  The time of Alpha and of Outer; the test goes by their proportion.
   First, Second : Time_Span := Time_Span_Zero;
   Start, Middle : CPU_Time;

   procedure Within (Steps : Positive) is
   begin
      for I in 1 .. Steps loop
         X := X * 16#369D_EA0F# + 11;
      end loop;
   end Within;
begin
   for I in 1 .. 100 loop
      --  Of uneven length, so that no clock beats in step with it.
      Unit := 100_000 + (Unit * 2999) mod 600_011;
      Start := Clock;
      Kernels.Alpha (X, 3 * Unit);
      Middle := Clock;
      Kernels.Outer (X, 2 * Unit);
      First := First + (Middle - Start);
      Second := Second + (Clock - Middle);
      Kernels.Deeper.Gamma (X, 1_000);
      Within (1_000);
   end loop;
   Ada.Text_IO.Put_Line (X'Image);
   Ada.Text_IO.Put_Line
     ("first:" & Float'Image
        (100.0 * Float (To_Duration (First))
           / Float (To_Duration (First + Second))));
end Names;
