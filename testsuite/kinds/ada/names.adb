--  SPDX-License-Identifier: GPL-3.0-or-later
--  Ada's names: procedures of packages, inside others, and of a package in a package.

with Ada.Text_IO;
with Interfaces; use Interfaces;

procedure Names is
   X : Unsigned_64 := 1;

   package Kernels is
      procedure Outer (X : in out Unsigned_64; Steps : Positive);

      package Deeper is
         procedure Gamma (X : in out Unsigned_64; Steps : Positive);
      end Deeper;
   end Kernels;

   package body Kernels is
      procedure Outer (X : in out Unsigned_64; Steps : Positive) is
         procedure Inner is
         begin
            for I in 1 .. Steps loop
               X := X * 16#4C95_7F2D# + 11;
            end loop;
         end Inner;
      begin
         Inner;
      end Outer;

      package body Deeper is
         procedure Gamma (X : in out Unsigned_64; Steps : Positive) is
         begin
            for I in 1 .. Steps loop
               X := X * 16#1B87_3593# + 11;
            end loop;
         end Gamma;
      end Deeper;
   end Kernels;
begin
   Kernels.Outer (X, 1_000);
   Kernels.Deeper.Gamma (X, 1_000);
   Ada.Text_IO.Put_Line (X'Image);
end Names;
