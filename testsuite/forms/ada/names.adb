--  SPDX-License-Identifier: GPL-3.0-or-later

with Ada.Text_IO;
with Interfaces; use Interfaces;
with Kernels;

procedure Names is
   X : Unsigned_64 := 1;

   procedure Within (Steps : Positive) is
   begin
      for I in 1 .. Steps loop
         X := X * 16#369D_EA0F# + 11;
      end loop;
   end Within;
begin
   for I in 1 .. 100 loop
      Kernels.Alpha (X, 1_200_000 + 3000 * (I mod 7));
      Kernels.Outer (X, 800_000 + 2000 * (I mod 7));
      Kernels.Deeper.Gamma (X, 10_000);
      Within (10_000);
   end loop;
   Ada.Text_IO.Put_Line (X'Image);
end Names;
