--  SPDX-License-Identifier: MIT
--  Measures the real time of regions in profiled programs in Ada; see ccprof(3). Compile this
--  package with the program and link with -lccprof_api. In a program that is not profiled, the
--  package does nothing.
--
--     Load : aliased Ccprof.Region := Ccprof.Named ("load");     --  in a package
--
--     declare
--        Watch : Ccprof.Stopwatch (Load'Access) with Unreferenced;
--     begin                           --  until the end of the block, however it is left

with Ada.Finalization;
private with Interfaces.C;
private with System;

package Ccprof is

   --  A region, which exists as long as the program runs. Two regions with the same name are one region.
   type Region is limited private;

   --  A name is cut off after 63 characters.
   function Named (Name : String) return Region;

   --  Begins the region in the calling task, inside the task's open regions.
   procedure Start (Item : in out Region);

   --  Ends all inner regions, then the latest execution of this region that is still open.
   procedure Stop (Item : in out Region);

   --  The region is open while the object exists.
   type Stopwatch (Of_Region : not null access Region) is
     new Ada.Finalization.Limited_Controlled with private;

private

   Longest : constant := 63;

   type Site is record
      Name   : System.Address := System.Null_Address;
      Number : Interfaces.C.unsigned_long := 0;
   end record with Convention => C;

   type Region is limited record
      At_Runtime : aliased Site;
      Text       : aliased Interfaces.C.char_array (0 .. Longest) := (others => Interfaces.C.nul);
   end record;

   type Stopwatch (Of_Region : not null access Region) is
     new Ada.Finalization.Limited_Controlled with null record;

   overriding procedure Initialize (Watch : in out Stopwatch);
   overriding procedure Finalize (Watch : in out Stopwatch);

end Ccprof;
