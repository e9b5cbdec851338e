-- wrk: reads a row by a random key, as a signed-in user.
local headers = { apikey = os.getenv("KEY"), authorization = "Bearer " .. os.getenv("TOKEN") }

request = function()
  return wrk.format("GET", "/rest/v1/bench_rows?id=eq." .. math.random(100000), headers)
end
