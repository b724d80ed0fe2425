--  SPDX-License-Identifier: MIT

package body Ccprof is

   use type System.Address;

   procedure Region_Begin (Item : in out Site) with
     Import, Convention => C, External_Name => "ccprof_f_region_begin";

   procedure Region_End (Item : in out Site) with
     Import, Convention => C, External_Name => "ccprof_f_region_end";

   -----------
   -- Named --
   -----------

   function Named (Name : String) return Region is
      Length : constant Natural := Natural'Min (Name'Length, Longest);
   begin
      return Item : Region do
         for I in 1 .. Length loop
            Item.Text (Interfaces.C.size_t (I - 1)) :=
              Interfaces.C.To_C (Name (Name'First + I - 1));
         end loop;
      end return;
   end Named;

   -----------
   -- Start --
   -----------

   procedure Start (Item : in out Region) is
   begin
      if Item.At_Runtime.Name = System.Null_Address then
         Item.At_Runtime.Name := Item.Text'Address;
      end if;
      Region_Begin (Item.At_Runtime);
   end Start;

   ----------
   -- Stop --
   ----------

   procedure Stop (Item : in out Region) is
   begin
      Region_End (Item.At_Runtime);
   end Stop;

   ----------------
   -- Initialize --
   ----------------

   overriding procedure Initialize (Watch : in out Stopwatch) is
   begin
      Start (Watch.Of_Region.all);
   end Initialize;

   --------------
   -- Finalize --
   --------------

   overriding procedure Finalize (Watch : in out Stopwatch) is
   begin
      Stop (Watch.Of_Region.all);
   end Finalize;

end Ccprof;
