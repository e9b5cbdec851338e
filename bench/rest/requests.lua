-- wrk: requests of one KIND, in turn as an anonymous client, a user with an HS256 token and a user with an ES256 token. With
-- IDLE every connection sends one request and then stays idle.
local kind = os.getenv("KIND")
local anon = os.getenv("ANON_KEY")
local headers = {}
for token in (" " .. os.getenv("TOKENS")):gmatch("%S+") do
  headers[#headers + 1] = {
    apikey = anon,
    authorization = token ~= "-" and "Bearer " .. token or nil,
    ["content-type"] = "application/json",
    prefer = "return=minimal",
  }
end

local body = nil
if kind == "bulk" then
  local rows = {}
  for n = 1, 1000 do
    rows[n] = string.format('{"item":%d,"text":"a line in the log, %d"}', n, n)
  end
  body = "[" .. table.concat(rows, ",") .. "]"
end

-- FIXED is a constant to ask for, so that it can be found in the server's statements.
local fixed = tonumber(os.getenv("FIXED"))
local function random(most)
  return fixed or math.random(most)
end

local kinds = {
  key = function() return "GET", "/bench_items?id=eq." .. random(100000) end,
  list = function()
    return "GET", "/bench_items?select=id,title,person:bench_people(id,name),notes:bench_notes(id,text)&category=eq."
      .. random(2000) .. "&order=id&limit=20"
  end,
  -- Within a category, because under row level security PostgreSQL uses no index on words: the operator is not leakproof.
  search = function()
    return "GET", "/bench_items?select=id,title&words=wfts(english).lots&category=eq." .. random(2000) .. "&limit=20"
  end,
  insert = function() return "POST", "/bench_log", '{"item":' .. random(100000) .. ',"text":"a line in the log"}' end,
  bulk = function() return "POST", "/bench_log", body end,
  rpc = function() return "GET", "/rpc/bench_neighbours?item=" .. random(100000) end,
}

local turn = 0
request = function()
  turn = turn + 1
  local method, path, sent = kinds[kind]()
  return wrk.format(method, "/rest/v1" .. path, headers[1 + turn % #headers], sent)
end

if os.getenv("IDLE") then
  local connections = tonumber(os.getenv("IDLE"))
  local asked = 0
  delay = function()
    asked = asked + 1
    -- Spreads the first requests over five seconds, because the accept queue is short.
    return asked <= connections and asked * 5000 / connections or 600000
  end
end
