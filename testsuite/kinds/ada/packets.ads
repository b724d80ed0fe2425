--  SPDX-License-Identifier: GPL-3.0-or-later

with Ada.Finalization;

--  Names that the demangler makes longer more than once: those of the operations of streams, which
--  GNAT before 16 nests, and such a one that is asked for.
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

   function Twice (N : Integer) return Integer is (2 * N)
      with Export, Convention => Ada,
           External_Name => "packets__packetSO__line_1SO__point_1SO";

end Packets;
