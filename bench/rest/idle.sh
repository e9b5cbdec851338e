# shellcheck shell=bash
# Sourced by rest.sh: memory with 5,000 connections that are idle after one response.
# shellcheck disable=SC2154
stop_server
start_server "$work/data"
before=$(pss "$server")
IDLE=5000 KIND=key wrk -t1 -c5000 -d25s -s "$root/bench/rest/requests.lua" "http://127.0.0.1:$port" >"$work/wrk" 2>&1 &
idling=$!
sleep 18
# The established connections on the server's side.
open=$(awk -v port="$(printf '%04X' "$port")" '$4 == "01" && $2 ~ ":" port "$"' /proc/net/tcp | wc -l)
during=$(pss "$server")
wait "$idling" || true
printf 'idle keep-alive connections: %s, server PSS %s MB (%s MB before; goal under 100)\n' \
  "$open" "$(printf '%s\n' "$during" | megabytes)" "$(printf '%s\n' "$before" | megabytes)"
