-- $1 id
delete from auth.flow_state where id = $1
