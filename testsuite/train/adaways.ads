--  SPDX-License-Identifier: GPL-3.0-or-later
--  Ada as train has to count it; called from adamain.c.
package Adaways is
   function Work (Rounds : Integer) return Integer;
   pragma Export (C, Work, "adaways_work");
end Adaways;
