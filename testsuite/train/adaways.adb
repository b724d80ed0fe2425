--  SPDX-License-Identifier: GPL-3.0-or-later
--  Checks would need the runtime of Ada.
pragma Suppress (All_Checks);
package body Adaways is
   type Vector is array (1 .. 1000) of Integer;
   type Kind is (One, Two, Three);
   type Step is access function (N : Integer) return Integer;

   function Twist (N : Integer; K : Kind) return Integer is
   begin
      case K is
         when One =>
            return N * 3;
         when Two =>
            return (if N mod 2 = 0 then N / 2 else N + 1);
         when Three =>
            return -N;
      end case;
   end Twist;

   function Half (N : Integer) return Integer is (N / 2);
   function Next (N : Integer) return Integer is (N + 1);
   Steps : constant array (0 .. 1) of Step := (Half'Access, Next'Access);

   function Work (Rounds : Integer) return Integer is
      V   : Vector;
      Sum : Integer := 0;

      procedure Add (N : Integer) is
      begin
         if N < 0 then
            Sum := Sum - 1;
         else
            Sum := Sum + Steps (N mod 2) (N mod 7);
         end if;
      end Add;
   begin
      for Round in 1 .. Rounds loop
         for I in V'Range loop
            V (I) := Twist (I + Round, Kind'Val (I mod 3));
            Add (V (I));
         end loop;
      end loop;
      return Sum;
   end Work;
end Adaways;
