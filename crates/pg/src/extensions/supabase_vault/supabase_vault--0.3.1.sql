-- Table, view and functions of Supabase Vault 0.3 (https://github.com/supabase/vault, README). The schema is always `vault`.
--
-- Secrets are encrypted with AES-256 in CBC mode and authenticated by HMAC-SHA256 over id, nonce and ciphertext, so that
-- ciphertexts cannot be swapped. Both keys are derived from one in a file of mode 0600 beside the cluster
-- (crates/pg/src/cluster/vault_key.rs). No statement, setting or dump contains it.
--
-- DEVIATION: upstream encrypts with pgsodium's XChaCha20. A dump of another server's secrets has to be entered anew.
set local search_path = '';
create schema vault;

-- pgcrypto's functions, under names that only a superuser can replace.
create function vault._hmac(bytea, bytea, text) returns bytea language c immutable strict as '$libdir/pgcrypto', 'pg_hmac';
create function vault._random(integer) returns bytea language c volatile strict as '$libdir/pgcrypto', 'pg_random_bytes';
create function vault._encrypt(bytea, bytea, bytea, text) returns bytea
language c immutable strict as '$libdir/pgcrypto', 'pg_encrypt_iv';
create function vault._decrypt(bytea, bytea, bytea, text) returns bytea
language c immutable strict as '$libdir/pgcrypto', 'pg_decrypt_iv';

-- Derives one key per purpose.
create function vault._key(purpose text)
returns bytea
language sql stable
set search_path = ''
as $$
  select vault._hmac(convert_to(purpose, 'UTF8'), decode(btrim(pg_catalog.pg_read_file('../vault.key'), E' \n'), 'hex'), 'sha256')
$$;

create function vault._crypto_aead_det_encrypt(
  message bytea, additional bytea, key_id bigint, context bytea default 'pgsodium', nonce bytea default null
)
returns bytea
language plpgsql security definer
set search_path = ''
as $$
declare
  ciphertext constant bytea := vault._encrypt(message, vault._key('encrypt'), nonce, 'aes-cbc/pad:pkcs');
begin
  return vault._hmac(
    int4send(octet_length(additional)) || additional || nonce || ciphertext, vault._key('authenticate'), 'sha256') || ciphertext;
end
$$;

create function vault._crypto_aead_det_decrypt(
  message bytea, additional bytea, key_id bigint, context bytea default 'pgsodium', nonce bytea default null
)
returns bytea
language plpgsql security definer
set search_path = ''
as $$
declare
  ciphertext constant bytea := substring(message from 33);
begin
  if message is null then
    return null;
  end if;
  if substring(message from 1 for 32) is distinct from vault._hmac(
    int4send(octet_length(additional)) || additional || nonce || ciphertext, vault._key('authenticate'), 'sha256')
  then
    raise exception 'the secret was not encrypted with this server''s key'
      using errcode = 'invalid_parameter_value', hint = 'Enter it again with vault.update_secret().';
  end if;
  return vault._decrypt(ciphertext, vault._key('encrypt'), nonce, 'aes-cbc/pad:pkcs');
end
$$;

create function vault._crypto_aead_det_noncegen()
returns bytea
language sql volatile
set search_path = ''
as $$ select vault._random(16) $$;

create table vault.secrets (
  id uuid primary key default gen_random_uuid(),
  name text,
  description text not null default '',
  secret text not null,
  key_id uuid,
  nonce bytea default vault._crypto_aead_det_noncegen(),
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp
);
create unique index secrets_name_idx on vault.secrets (name) where name is not null;
select pg_catalog.pg_extension_config_dump('vault.secrets', '');

create view vault.decrypted_secrets as
select
  id,
  name,
  description,
  secret,
  convert_from(
    vault._crypto_aead_det_decrypt(
      message => decode(secret, 'base64'), additional => convert_to(id::text, 'utf8'), key_id => 0, nonce => nonce),
    'utf8') as decrypted_secret,
  key_id,
  nonce,
  created_at,
  updated_at
from vault.secrets;

create function vault.create_secret(
  new_secret text, new_name text default null, new_description text default '', new_key_id uuid default null
)
returns uuid
language plpgsql security definer
set search_path = ''
as $$
declare
  new_id constant uuid := gen_random_uuid();
  new_nonce constant bytea := vault._crypto_aead_det_noncegen();
begin
  insert into vault.secrets (id, secret, name, description, nonce)
  values (
    new_id,
    encode(vault._crypto_aead_det_encrypt(
      convert_to(new_secret, 'utf8'), convert_to(new_id::text, 'utf8'), 0, 'pgsodium', new_nonce), 'base64'),
    new_name,
    coalesce(new_description, ''),
    new_nonce);
  return new_id;
end
$$;

create function vault.update_secret(
  secret_id uuid, new_secret text default null, new_name text default null, new_description text default null,
  new_key_id uuid default null
)
returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  new_nonce constant bytea := case when new_secret is not null then vault._crypto_aead_det_noncegen() end;
begin
  update vault.secrets
  set secret = case
        when new_secret is null then secret
        else encode(vault._crypto_aead_det_encrypt(
          convert_to(new_secret, 'utf8'), convert_to(secret_id::text, 'utf8'), 0, 'pgsodium', new_nonce), 'base64')
      end,
      nonce = coalesce(new_nonce, nonce),
      name = coalesce(new_name, name),
      description = coalesce(new_description, description),
      updated_at = now()
  where id = secret_id;
end
$$;

revoke execute on all functions in schema vault from public;
grant usage on schema vault to postgres with grant option;
grant select, delete on vault.secrets, vault.decrypted_secrets to postgres with grant option;
grant execute on function
  vault.create_secret(text, text, text, uuid),
  vault.update_secret(uuid, text, text, text, uuid),
  vault._crypto_aead_det_decrypt(bytea, bytea, bigint, bytea, bytea)
to postgres with grant option;
grant usage on schema vault to service_role;
grant select, delete on vault.secrets, vault.decrypted_secrets to service_role;
grant execute on function
  vault.create_secret(text, text, text, uuid),
  vault.update_secret(uuid, text, text, text, uuid),
  vault._crypto_aead_det_decrypt(bytea, bytea, bigint, bytea, bytea)
to service_role;
