--  SPDX-License-Identifier: GPL-3.0-or-later
--  Bodies of a task and of a task type; each prints when it begins.
with Ada.Text_IO;

procedure Tasks is

   procedure Tell (Who : String) is
   begin
      Ada.Text_IO.Put_Line (Who);
   end Tell;

   package Crew is
      task Single;
      task type Worker;
   end Crew;

   package body Crew is
      task body Single is
      begin
         Tell ("single");
      end Single;

      task body Worker is
      begin
         Tell ("worker");
      end Worker;
   end Crew;

   Team : array (1 .. 3) of Crew.Worker;
   pragma Unreferenced (Team);
begin
   Tell ("main");
end Tasks;
