-- Reads outside of the transaction, where a replica may answer them, writes inside:
-- 10 points, a range, a SUM and an ORDER BY; then BEGIN, DISTINCT, two UPDATEs, DELETE, INSERT, COMMIT.
require("oltp_common")

function prepare_statements()
   prepare_begin()
   prepare_commit()
   prepare_point_selects()
   prepare_simple_ranges()
   prepare_sum_ranges()
   prepare_order_ranges()
   prepare_distinct_ranges()
   prepare_index_updates()
   prepare_non_index_updates()
   prepare_delete_inserts()
end

function event()
   execute_point_selects()
   execute_simple_ranges()
   execute_sum_ranges()
   execute_order_ranges()
   begin()
   execute_distinct_ranges()
   execute_index_updates()
   execute_non_index_updates()
   execute_delete_inserts()
   commit()
end
