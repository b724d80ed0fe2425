--  SPDX-License-Identifier: GPL-3.0-or-later

package body Kernels is
   procedure Alpha (X : in out Unsigned_64; Steps : Positive) is
   begin
      for I in 1 .. Steps loop
         X := X * 16#5851_F42D# + 11;
      end loop;
   end Alpha;

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
