-- wrk at a fixed rate: RATE requests a second, from one thread (-t1). A late request is sent at once.
local ffi = require("ffi")
ffi.cdef([[
  typedef struct { long seconds; long nanoseconds; } dugout_time;
  int clock_gettime(int clock, dugout_time *time);
]])
local MONOTONIC = 1
local between = 1000 / tonumber(os.getenv("RATE"))
local time = ffi.new("dugout_time")
local turn

-- Milliseconds until the next request, in whole numbers as wrk wants them.
function delay()
  ffi.C.clock_gettime(MONOTONIC, time)
  local now = tonumber(time.seconds) * 1000 + tonumber(time.nanoseconds) / 1e6
  turn = (turn or now) + between
  return math.max(0, math.floor(turn - now + 0.5))
end
