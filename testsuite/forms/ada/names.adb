--  SPDX-License-Identifier: GPL-3.0-or-later

with Ada.Text_IO;
with Interfaces; use Interfaces;
with Kernels;

procedure Names is
   X    : Unsigned_64 := 1;
   Unit : Positive := 200_000;

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
      Kernels.Alpha (X, 3 * Unit);
      Kernels.Outer (X, 2 * Unit);
      Kernels.Deeper.Gamma (X, 10_000);
      Within (10_000);
   end loop;
   Ada.Text_IO.Put_Line (X'Image);
end Names;
