-- The load of bench/auth.sh. KIND is the kind of request. TOKENS names a file with one line "access token, refresh token" per
-- session.
local kind = os.getenv("KIND")
local json = { ["Content-Type"] = "application/json" }
local sessions, at = {}, 0
for line in io.lines(os.getenv("TOKENS")) do
  local access, refresh = line:match("^(%S+) (%S+)$")
  sessions[#sessions + 1] = { access = access, refresh = refresh }
end
-- Unused refresh tokens: one per session; there are more sessions than connections.
local living = {}
for index, session in ipairs(sessions) do
  living[index] = session.refresh
end
math.randomseed(os.time())
local run = math.random(1e9)

function request()
  at = at + 1
  local session = sessions[at % #sessions + 1]
  if kind == "user" then
    return wrk.format("GET", "/user", { Authorization = "Bearer " .. session.access })
  elseif kind == "refresh" then
    local token = table.remove(living, 1) or session.refresh
    return wrk.format("POST", "/token?grant_type=refresh_token", json, '{"refresh_token":"' .. token .. '"}')
  elseif kind == "sign-in" then
    local body = '{"email":"bench' .. (at % #sessions + 1) .. '@x.test","password":"correct horse battery"}'
    return wrk.format("POST", "/token?grant_type=password", json, body)
  end
  local body = '{"email":"' .. run .. "-" .. at .. '@x.test","password":"correct horse battery"}'
  return wrk.format("POST", "/signup", json, body)
end

if kind == "refresh" then
  function response(_, _, body)
    local token = body:match('"refresh_token":"([^"]+)"')
    if token then
      living[#living + 1] = token
    end
  end
end
