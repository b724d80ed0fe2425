--  SPDX-License-Identifier: GPL-3.0-or-later

with Ada.Finalization;

--  The operations of streams are nested, and have names that the demangler makes longer more
--  than once.
package Packets is

   type Point is record
      X, Y : Float := 0.0;
   end record;

   type Line is record
      From, To : Point;
   end record;

   type Packet is new Ada.Finalization.Controlled with record
      Track : Line;
   end record;

end Packets;
