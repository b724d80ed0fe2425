--  SPDX-License-Identifier: GPL-3.0-or-later
--  Regions in Ada: "load" three times, the second left by an exception while "part" is open that
--  the others begin twice.

with Ccprof;

procedure Regions is
   package Of_Loading is
      Load : aliased Ccprof.Region := Ccprof.Named ("load");
      Part : aliased Ccprof.Region := Ccprof.Named ("part");
   end Of_Loading;
   use Of_Loading;

   procedure Load_Part (Fails : Boolean) is
      Watch : Ccprof.Stopwatch (Part'Access) with Unreferenced;
   begin
      if Fails then
         raise Constraint_Error;
      end if;
   end Load_Part;
begin
   for I in 1 .. 3 loop
      declare
         Watch : Ccprof.Stopwatch (Load'Access) with Unreferenced;
      begin
         Load_Part (Fails => I = 2);
         Load_Part (Fails => False);
      exception
         when Constraint_Error =>
            null;
      end;
   end loop;
   Ccprof.Start (Part);
   Ccprof.Stop (Part);
end Regions;
