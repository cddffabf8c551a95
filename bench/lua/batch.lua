-- INSERTs of many rows each, on sysbench's first table. Options besides sysbench's own:
--   --rows=100        rows of a statement
-- Ids are above those that prepare has given, a range of them for each thread; at its end a thread deletes what it has
-- inserted, so that the data stay as they are.
require("oltp_common")

sysbench.cmdline.options.rows = {"Rows of an INSERT", 100}

local FIRST, RANGE, DELETED_AT_ONCE = 100000000, 10000000, 1000

function prepare_statements()
   first = FIRST + sysbench.tid * RANGE
   last = first
end

function event()
   local values = {}
   for i = 1, sysbench.opt.rows do
      values[i] = string.format("(%d,%d,'%s','%s')", last, sysbench.rand.default(1, sysbench.opt.table_size),
         get_c_value(), get_pad_value())
      last = last + 1
   end
   con:query("INSERT INTO sbtest1 (id, k, c, pad) VALUES " .. table.concat(values, ","))
end

-- Threads' ranges lie side by side: they may lock each other's gaps, and one of them is told to try again.
local function delete(from, to)
   local sql = string.format("DELETE FROM sbtest1 WHERE id BETWEEN %d AND %d", from, to)
   while not pcall(con.query, con, sql) do end
end

function thread_done()
   for from = first, last - 1, DELETED_AT_ONCE do
      delete(from, from + DELETED_AT_ONCE - 1)
   end
   close_statements()
   con:disconnect()
end
