-- Fails with 3F000 when one of the schemas does not exist, as PostgREST's own queries do.
select quote_ident(name)::regnamespace from unnest($1::text[]) as name
