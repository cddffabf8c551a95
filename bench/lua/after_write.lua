-- Point selects of sessions that have written before: replicas are known to have got that far, or are asked.
-- --writes_first=off: of sessions that have not.
require("oltp_common")

sysbench.cmdline.options.writes_first = {"Update a row when a session begins", true}

function prepare_statements()
end

function thread_init()
   drv = sysbench.sql.driver()
   con = drv:connect()
   stmt = {}
   param = {}
   if sysbench.opt.writes_first then
      con:query("UPDATE sbtest1 SET pad = 'x' WHERE id = " .. sysbench.tid + 1)
   end
end

function event()
   con:query("SELECT c FROM sbtest1 WHERE id = " .. sysbench.rand.uniform(1, sysbench.opt.table_size))
end

function thread_done()
   con:disconnect()
end
