-- $1 id
delete from auth.saml_relay_states where id = $1
