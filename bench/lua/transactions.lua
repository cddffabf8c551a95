-- BEGIN, two UPDATEs by primary key, COMMIT, on one connection: how long all of it takes, and COMMIT alone.
--   --sources=1|2   rows of one data source (even ids) or of both
--   --type=XA       SET transaction_type first; empty for a database without the proxy

local ffi = require("ffi")
ffi.cdef [[
struct bench_time { long seconds; long nanoseconds; };
int clock_gettime(int clock, struct bench_time *now);
]]

sysbench.cmdline.options = {
  rows = {"rows of the table", 1000},
  sources = {"data sources that a transaction changes", 2},
  type = {"transaction type, empty to say none", ""}
}

local function microseconds()
  local now = ffi.new("struct bench_time")
  ffi.C.clock_gettime(1, now)
  return tonumber(now.seconds) * 1e6 + tonumber(now.nanoseconds) / 1e3
end

local whole, commit = {}, {}

function thread_init()
  connection = sysbench.sql.driver():connect()
  if sysbench.opt.type ~= "" then
    connection:query("SET transaction_type = '" .. sysbench.opt.type .. "'")
  end
end

function event()
  local first = 2 * sysbench.rand.uniform(1, sysbench.opt.rows / 2 - 1)
  local second = first + (sysbench.opt.sources == 2 and 1 or 2)
  local start = microseconds()
  connection:query("BEGIN")
  connection:query("UPDATE account SET balance = balance - 1 WHERE id = " .. first)
  connection:query("UPDATE account SET balance = balance + 1 WHERE id = " .. second)
  local before = microseconds()
  connection:query("COMMIT")
  local now = microseconds()
  whole[#whole + 1] = now - start
  commit[#commit + 1] = now - before
end

local function median(list)
  table.sort(list)
  return list[math.ceil(#list / 2)]
end

function thread_done()
  print(string.format("median %.0f %.0f", median(whole), median(commit)))
  connection:disconnect()
end
