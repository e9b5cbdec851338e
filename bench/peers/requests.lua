-- wrk: requests of one KIND to one PEER. With COUNT it stops after that many responses.
local peer, kind = os.getenv("PEER"), os.getenv("KIND")
local headers = { ["content-type"] = "application/json" }
local secured = peer:find("rls") ~= nil
if secured then headers.authorization = "Bearer " .. os.getenv("TOKEN") end
if peer:find("dugout") then
  headers.apikey = os.getenv("ANON_KEY")
  headers.prefer = "return=minimal"
end

local item, log = "/rest/v1/peer_items", "/rest/v1/peer_log"
if secured then item, log = item .. "_rls", log .. "_rls" end
local prefix = secured and "/rls" or "/plain"
local paths = {
  dugout = {
    key = function(n) return item .. "?select=id,category,title&id=eq." .. n end,
    search = function(n) return item .. "?select=id,title&words=plfts(english)." .. n .. "&order=id&limit=20" end,
    insert = function() return log end,
  },
  fastify = {
    key = function(n) return prefix .. "/items/" .. n end,
    search = function(n) return prefix .. "/search?words=" .. n end,
    insert = function() return prefix .. "/log" end,
  },
  pocketbase = {
    key = function(n)
      return string.format("/api/collections/items/records/%015d?fields=id,category,title", n)
    end,
    insert = function() return "/api/collections/log/records" end,
  },
}
local path = paths[peer:gsub("_rls", "")][kind]

request = function()
  local n = math.random(100000)
  if kind ~= "insert" then return wrk.format("GET", path(n), headers) end
  return wrk.format("POST", path(n), headers, '{"item":' .. n .. ',"text":"a line in the log"}')
end

local count = tonumber(os.getenv("COUNT"))
if count then
  local answered = 0
  response = function()
    answered = answered + 1
    if answered == count then wrk.thread:stop() end
  end
end
