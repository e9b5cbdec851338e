-- $1 id
select host(ip) as ip from auth.sessions where id = $1
