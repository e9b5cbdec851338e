-- The functions of pgjwt 0.2 (https://github.com/michelp/pgjwt, README): JSON web tokens (RFC 7519) signed with HS256, HS384
-- or HS512.
set local search_path = '';
create function @extschema@.url_encode(data bytea)
returns text
language sql immutable
set search_path = pg_catalog
as $$ select rtrim(translate(encode(data, 'base64'), E'+/\n', '-_'), '=') $$;

create function @extschema@.url_decode(data text)
returns bytea
language sql immutable
set search_path = pg_catalog
as $$ select decode(rpad(translate(data, '-_', '+/'), (length(data) + 3) / 4 * 4, '='), 'base64') $$;

create function @extschema@.algorithm_sign(signables text, secret text, algorithm text)
returns text
language sql immutable
set search_path = pg_catalog
as $$
  select @extschema@.url_encode(@extschema:pgcrypto@.hmac(signables, secret, case algorithm
    when 'HS256' then 'sha256'
    when 'HS384' then 'sha384'
    when 'HS512' then 'sha512'
    else ''
  end))
$$;

create function @extschema@.sign(payload json, secret text, algorithm text default 'HS256')
returns text
language sql immutable
set search_path = pg_catalog
as $$
  select signables || '.' || @extschema@.algorithm_sign(signables, secret, algorithm)
  from (
    select @extschema@.url_encode(convert_to(format('{"alg":"%s","typ":"JWT"}', algorithm), 'utf8'))
      || '.' || @extschema@.url_encode(convert_to(payload::text, 'utf8'))
  ) as unsigned (signables)
$$;

create function @extschema@.try_cast_double(inp text)
returns double precision
language plpgsql immutable
set search_path = pg_catalog
as $$
begin
  return inp::double precision;
exception
  when others then return null;
end
$$;

create function @extschema@.verify(token text, secret text, algorithm text default 'HS256')
returns table (header json, payload json, valid boolean)
language sql stable
set search_path = pg_catalog
as $$
  select
    convert_from(@extschema@.url_decode(part[1]), 'utf8')::json,
    claims::json,
    part[3] = @extschema@.algorithm_sign(part[1] || '.' || part[2], secret, algorithm)
      and tstzrange(
        to_timestamp(@extschema@.try_cast_double(claims::json ->> 'nbf')),
        to_timestamp(@extschema@.try_cast_double(claims::json ->> 'exp'))) @> current_timestamp
  from string_to_array(token, '.') as part, convert_from(@extschema@.url_decode(part[2]), 'utf8') as claims
$$;
