--  SPDX-License-Identifier: GPL-3.0-or-later
--  Ada's names: a package's procedures, one inside another, a child package.

with Interfaces; use Interfaces;

package Kernels is
   procedure Alpha (X : in out Unsigned_64; Steps : Positive);
   procedure Outer (X : in out Unsigned_64; Steps : Positive);

   package Deeper is
      procedure Gamma (X : in out Unsigned_64; Steps : Positive);
   end Deeper;
end Kernels;
