-- Primary-key CRUD, optionally with ranges, on sysbench's tables. Options besides sysbench's own:
--   --ranges=on       BETWEEN, SUM, ORDER BY and DISTINCT reads as well (the "full mix")
--   --transaction=off statements one by one
-- An INSERT behind its DELETE puts the row back, so that the data stay as they are.
require("oltp_common")

sysbench.cmdline.options.ranges = {"Range reads as well", false}
sysbench.cmdline.options.transaction = {"BEGIN and COMMIT around the statements", false}

function prepare_statements()
   prepare_point_selects()
   prepare_index_updates()
   prepare_non_index_updates()
   prepare_delete_inserts()
   if sysbench.opt.ranges then
      prepare_simple_ranges()
      prepare_sum_ranges()
      prepare_order_ranges()
      prepare_distinct_ranges()
   end
   if sysbench.opt.transaction then
      prepare_begin()
      prepare_commit()
   end
end

function event()
   if sysbench.opt.transaction then begin() end
   execute_point_selects()
   if sysbench.opt.ranges then
      execute_simple_ranges()
      execute_sum_ranges()
      execute_order_ranges()
      execute_distinct_ranges()
   end
   execute_index_updates()
   execute_non_index_updates()
   execute_delete_inserts()
   if sysbench.opt.transaction then commit() end
end
