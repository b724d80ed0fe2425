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
   Kernels.Alpha (X, 1_000);
   Kernels.Outer (X, 1_000);
   Kernels.Deeper.Gamma (X, 1_000);
   Within (1_000);
   Ada.Text_IO.Put_Line (X'Image);
end Names;
