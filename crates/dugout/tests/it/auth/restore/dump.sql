-- What `--data-only --schema=auth` writes of a database of GoTrue's (supabase/auth, August 2026), less auth.schema_migrations.
-- Every password is "correct horse battery".

SET session_replication_role = replica;

COPY auth.audit_log_entries (instance_id, id, payload, created_at, ip_address) FROM stdin;
00000000-0000-0000-0000-000000000000	81a39d8b-525a-40d4-87c8-7f94a64856f3	{"action":"user_signedup","actor_id":"3e90d6e6-2ae1-4b15-ab24-baaba4d17c92","actor_name":"Ana\\tAmsel \\\\ \\"Née\\"\\nLine","actor_username":"ana@x.test","actor_via_sso":false,"log_type":"team","traits":{"provider":"email"}}	2026-11-21 10:34:21.042366+00	
00000000-0000-0000-0000-000000000000	7595199f-d961-4e17-bd58-0a7c8eb3d86b	{"action":"login","actor_id":"3e90d6e6-2ae1-4b15-ab24-baaba4d17c92","actor_name":"Ana\\tAmsel \\\\ \\"Née\\"\\nLine","actor_username":"ana@x.test","actor_via_sso":false,"log_type":"account","traits":{"provider":"email"}}	2026-11-21 10:34:21.057764+00	
00000000-0000-0000-0000-000000000000	87c99447-ccb8-4322-b362-60e300288aff	{"action":"token_refreshed","actor_id":"3e90d6e6-2ae1-4b15-ab24-baaba4d17c92","actor_name":"Ana\\tAmsel \\\\ \\"Née\\"\\nLine","actor_username":"ana@x.test","actor_via_sso":false,"log_type":"token"}	2026-11-21 10:34:21.164917+00	
00000000-0000-0000-0000-000000000000	55897eb8-6cd4-4a96-b7c0-b768d1567544	{"action":"token_revoked","actor_id":"3e90d6e6-2ae1-4b15-ab24-baaba4d17c92","actor_name":"Ana\\tAmsel \\\\ \\"Née\\"\\nLine","actor_username":"ana@x.test","actor_via_sso":false,"log_type":"token"}	2026-11-21 10:34:21.165633+00	
00000000-0000-0000-0000-000000000000	5c6692aa-7d3c-439e-8633-8f64346f74e0	{"action":"user_signedup","actor_id":"00000000-0000-0000-0000-000000000000","actor_username":"service_role","actor_via_sso":false,"log_type":"team","traits":{"provider":"email","user_email":"argon@x.test","user_id":"45eea572-4251-4c2f-a519-d2538d9759af","user_phone":""}}	2026-11-21 10:34:21.191792+00	
00000000-0000-0000-0000-000000000000	c786678c-3dd3-4830-8ea1-063823ffacb3	{"action":"user_signedup","actor_id":"00000000-0000-0000-0000-000000000000","actor_username":"service_role","actor_via_sso":false,"log_type":"team","traits":{"provider":"email","user_email":"firebase@x.test","user_id":"f4165589-55f4-49b4-9c7f-4c788274154d","user_phone":""}}	2026-11-21 10:34:21.213686+00	
00000000-0000-0000-0000-000000000000	aecfb97f-b50e-4802-a779-e1afa87d68fe	{"action":"user_signedup","actor_id":"00000000-0000-0000-0000-000000000000","actor_username":"service_role","actor_via_sso":false,"log_type":"team","traits":{"provider":"phone","user_email":"","user_id":"2443238f-1dc2-4915-b62c-7d4667725076","user_phone":"41790000000"}}	2026-11-21 10:34:21.295686+00	
00000000-0000-0000-0000-000000000000	838d433c-04b3-435b-8831-e41ae98facfa	{"action":"user_signedup","actor_id":"00000000-0000-0000-0000-000000000000","actor_username":"service_role","actor_via_sso":false,"log_type":"team","traits":{"provider":"email","user_email":"unconfirmed@x.test","user_id":"dc00f81b-5217-47be-8870-83645a97c7cc","user_phone":""}}	2026-11-21 10:34:21.377046+00	
00000000-0000-0000-0000-000000000000	1c677bb1-67e7-44f6-ac9c-35813baa81aa	{"action":"user_signedup","actor_id":"00000000-0000-0000-0000-000000000000","actor_username":"service_role","actor_via_sso":false,"log_type":"team","traits":{"provider":"email","user_email":"banned@x.test","user_id":"23e23611-a28d-4e8f-b3d8-5d95239fa6e6","user_phone":""}}	2026-11-21 10:34:21.465828+00	
00000000-0000-0000-0000-000000000000	568db887-4f8c-499e-852f-00a1831c1a82	{"action":"user_signedup","actor_id":"00000000-0000-0000-0000-000000000000","actor_username":"service_role","actor_via_sso":false,"log_type":"team","traits":{"provider":"email","user_email":"deleted@x.test","user_id":"fb0c28ce-da28-4657-8362-80efb38f8856","user_phone":""}}	2026-11-21 10:34:21.547346+00	
00000000-0000-0000-0000-000000000000	856de547-52f5-4431-a44c-f0351dbfbff7	{"action":"user_deleted","actor_id":"00000000-0000-0000-0000-000000000000","actor_username":"service_role","actor_via_sso":false,"log_type":"team","traits":{"user_email":"deleted@x.test","user_id":"fb0c28ce-da28-4657-8362-80efb38f8856","user_phone":""}}	2026-11-21 10:34:21.573201+00	
00000000-0000-0000-0000-000000000000	d3173b0c-a128-4e44-9a66-d0eed69a36c3	{"action":"user_recovery_requested","actor_id":"3e90d6e6-2ae1-4b15-ab24-baaba4d17c92","actor_name":"Ana\\tAmsel \\\\ \\"Née\\"\\nLine","actor_username":"ana@x.test","actor_via_sso":false,"log_type":"user"}	2026-11-21 10:34:21.608694+00	
00000000-0000-0000-0000-000000000000	72204418-ea17-4c3b-a545-31a85567b572	{"action":"factor_in_progress","actor_id":"3e90d6e6-2ae1-4b15-ab24-baaba4d17c92","actor_name":"Ana\\tAmsel \\\\ \\"Née\\"\\nLine","actor_username":"ana@x.test","actor_via_sso":false,"log_type":"factor","traits":{"factor_id":"491ab153-2e10-420d-9376-fb36dedb3715"}}	2026-11-21 10:34:21.700133+00	127.0.0.1
00000000-0000-0000-0000-000000000000	97bc8f20-46a0-4fbd-9404-6b0aec96e868	{"action":"challenge_created","actor_id":"3e90d6e6-2ae1-4b15-ab24-baaba4d17c92","actor_name":"Ana\\tAmsel \\\\ \\"Née\\"\\nLine","actor_username":"ana@x.test","actor_via_sso":false,"log_type":"factor","traits":{"factor_id":"491ab153-2e10-420d-9376-fb36dedb3715","factor_status":"unverified"}}	2026-11-21 10:34:21.753617+00	127.0.0.1
\.

COPY auth.custom_oauth_providers (id, provider_type, identifier, name, client_id, client_secret, acceptable_client_ids, scopes, pkce_enabled, attribute_mapping, authorization_params, enabled, email_optional, issuer, discovery_url, skip_nonce_check, cached_discovery, discovery_cached_at, authorization_url, token_url, userinfo_url, jwks_uri, created_at, updated_at, custom_claims_allowlist) FROM stdin;
\.

COPY auth.flow_state (id, user_id, auth_code, code_challenge_method, code_challenge, provider_type, provider_access_token, provider_refresh_token, created_at, updated_at, authentication_method, auth_code_issued_at, invite_token, referrer, oauth_client_state_id, linking_target_id, email_optional) FROM stdin;
\.

COPY auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at, id) FROM stdin;
3e90d6e6-2ae1-4b15-ab24-baaba4d17c92	3e90d6e6-2ae1-4b15-ab24-baaba4d17c92	{"sub": "3e90d6e6-2ae1-4b15-ab24-baaba4d17c92", "email": "ana@x.test", "full_name": "Ana\\tAmsel \\\\ \\"Née\\"\\nLine", "email_verified": false, "phone_verified": false}	email	2026-11-21 10:34:21.037075+00	2026-11-21 10:34:21.037101+00	2026-11-21 10:34:21.037101+00	ae3f76f4-1200-4e9d-b0c4-482720c225cb
45eea572-4251-4c2f-a519-d2538d9759af	45eea572-4251-4c2f-a519-d2538d9759af	{"sub": "45eea572-4251-4c2f-a519-d2538d9759af", "email": "argon@x.test", "email_verified": false, "phone_verified": false}	email	2026-11-21 10:34:21.190627+00	2026-11-21 10:34:21.190674+00	2026-11-21 10:34:21.190674+00	d95be682-f95a-496f-a265-1c887b5cdbe3
f4165589-55f4-49b4-9c7f-4c788274154d	f4165589-55f4-49b4-9c7f-4c788274154d	{"sub": "f4165589-55f4-49b4-9c7f-4c788274154d", "email": "firebase@x.test", "email_verified": false, "phone_verified": false}	email	2026-11-21 10:34:21.212584+00	2026-11-21 10:34:21.212626+00	2026-11-21 10:34:21.212626+00	a600e97e-f483-4fef-917e-2289ed487d9c
2443238f-1dc2-4915-b62c-7d4667725076	2443238f-1dc2-4915-b62c-7d4667725076	{"sub": "2443238f-1dc2-4915-b62c-7d4667725076", "phone": "41790000000", "email_verified": false, "phone_verified": false}	phone	2026-11-21 10:34:21.294483+00	2026-11-21 10:34:21.294508+00	2026-11-21 10:34:21.294508+00	6df30258-2375-46f7-9b6f-aed9529ec2b3
dc00f81b-5217-47be-8870-83645a97c7cc	dc00f81b-5217-47be-8870-83645a97c7cc	{"sub": "dc00f81b-5217-47be-8870-83645a97c7cc", "email": "unconfirmed@x.test", "email_verified": false, "phone_verified": false}	email	2026-11-21 10:34:21.375826+00	2026-11-21 10:34:21.375853+00	2026-11-21 10:34:21.375853+00	5f74eb4c-f452-42e6-b75b-925fab2f61c1
23e23611-a28d-4e8f-b3d8-5d95239fa6e6	23e23611-a28d-4e8f-b3d8-5d95239fa6e6	{"sub": "23e23611-a28d-4e8f-b3d8-5d95239fa6e6", "email": "banned@x.test", "email_verified": false, "phone_verified": false}	email	2026-11-21 10:34:21.464575+00	2026-11-21 10:34:21.464625+00	2026-11-21 10:34:21.464625+00	4d2f5c38-896b-4dd6-ae97-6868eafaa176
0IreRqWGM3W1qfh1q5X6j6WyGScYaXN_-dZlxWWyHPg	fb0c28ce-da28-4657-8362-80efb38f8856	{}	email	2026-11-21 10:34:21.546103+00	2026-11-21 10:34:21.546131+00	2026-11-21 10:34:21.546131+00	e514b8d8-03bd-45b5-8c59-c6b6756eb2f4
\.

COPY auth.instances (id, uuid, raw_base_config, created_at, updated_at) FROM stdin;
\.

COPY auth.mfa_amr_claims (session_id, created_at, updated_at, authentication_method, id) FROM stdin;
67212435-10aa-4f6f-b992-77a731d7d0b1	2026-11-21 10:34:21.065234+00	2026-11-21 10:34:21.065234+00	password	c7784ae4-d06c-4d7e-a6bb-8c4f2f221262
\.

COPY auth.mfa_challenges (id, factor_id, created_at, verified_at, ip_address, otp_code, web_authn_session_data) FROM stdin;
4def783b-1528-4a44-b87f-91de23db988e	491ab153-2e10-420d-9376-fb36dedb3715	2026-11-21 10:34:21.751258+00	\N	127.0.0.1		\N
\.

COPY auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret, phone, last_challenged_at, web_authn_credential, web_authn_aaguid, last_webauthn_challenge_data) FROM stdin;
491ab153-2e10-420d-9376-fb36dedb3715	3e90d6e6-2ae1-4b15-ab24-baaba4d17c92	phone	totp	unverified	2026-11-21 10:34:21.695477+00	2026-11-21 10:34:21.753143+00	EPKQTCSWST55N3VE5GWJKV2NPJUX4SYV	\N	2026-11-21 10:34:21.751216+00	\N	\N	\N
\.

COPY auth.oauth_authorizations (id, authorization_id, client_id, user_id, redirect_uri, scope, state, resource, code_challenge, code_challenge_method, response_type, status, authorization_code, created_at, expires_at, approved_at, nonce) FROM stdin;
\.

COPY auth.oauth_client_states (id, provider_type, code_verifier, created_at) FROM stdin;
\.

COPY auth.oauth_clients (id, client_secret_hash, registration_type, redirect_uris, grant_types, client_name, client_uri, logo_uri, created_at, updated_at, deleted_at, client_type, token_endpoint_auth_method) FROM stdin;
\.

COPY auth.oauth_consents (id, user_id, client_id, scopes, granted_at, revoked_at) FROM stdin;
\.

COPY auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at) FROM stdin;
fd6d8413-c2d7-4b65-8701-34c0522f5d9a	3e90d6e6-2ae1-4b15-ab24-baaba4d17c92	recovery_token	f43915b2b88a1b2c86a2ca538776be9453335a1a422785e04f3a908e	ana@x.test	2026-11-21 10:34:21.614356	2026-11-21 10:34:21.614356
\.

COPY auth.refresh_tokens (instance_id, id, token, user_id, revoked, created_at, updated_at, parent, session_id) FROM stdin;
00000000-0000-0000-0000-000000000000	3	ei4illdlqvfz	3e90d6e6-2ae1-4b15-ab24-baaba4d17c92	t	2026-11-21 10:34:21.062751+00	2026-11-21 10:34:21.165982+00	\N	67212435-10aa-4f6f-b992-77a731d7d0b1
00000000-0000-0000-0000-000000000000	4	c3dh47kos6kl	3e90d6e6-2ae1-4b15-ab24-baaba4d17c92	f	2026-11-21 10:34:21.167642+00	2026-11-21 10:34:21.167642+00	ei4illdlqvfz	67212435-10aa-4f6f-b992-77a731d7d0b1
\.

COPY auth.saml_providers (id, sso_provider_id, entity_id, metadata_xml, metadata_url, attribute_mapping, created_at, updated_at, name_id_format) FROM stdin;
\.

COPY auth.saml_relay_states (id, sso_provider_id, request_id, for_email, redirect_to, created_at, updated_at, flow_state_id) FROM stdin;
\.

COPY auth.sessions (id, user_id, created_at, updated_at, factor_id, aal, not_after, refreshed_at, user_agent, ip, tag, oauth_client_id, refresh_token_hmac_key, refresh_token_counter, scopes) FROM stdin;
67212435-10aa-4f6f-b992-77a731d7d0b1	3e90d6e6-2ae1-4b15-ab24-baaba4d17c92	2026-11-21 10:34:21.058957+00	2026-11-21 10:34:21.169287+00	\N	aal1	\N	2026-11-21 10:34:21.169238	compare/1	127.0.0.1	\N	\N	\N	\N	\N
\.

COPY auth.sso_domains (id, sso_provider_id, domain, created_at, updated_at) FROM stdin;
\.

COPY auth.sso_providers (id, resource_id, created_at, updated_at, disabled) FROM stdin;
\.

COPY auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, invited_at, confirmation_token, confirmation_sent_at, recovery_token, recovery_sent_at, email_change_token_new, email_change, email_change_sent_at, last_sign_in_at, raw_app_meta_data, raw_user_meta_data, is_super_admin, created_at, updated_at, phone, phone_confirmed_at, phone_change, phone_change_token, phone_change_sent_at, email_change_token_current, email_change_confirm_status, banned_until, reauthentication_token, reauthentication_sent_at, is_sso_user, deleted_at, is_anonymous) FROM stdin;
00000000-0000-0000-0000-000000000000	2443238f-1dc2-4915-b62c-7d4667725076	authenticated	authenticated	\N	$2a$10$YKzHEskq2BJaWBy.SYqPVu61HN82xzlPbbOnhLHB0k22IJFBBblPK	\N	\N		\N		\N			\N	\N	{"provider": "phone", "providers": ["phone"]}	{}	\N	2026-11-21 10:34:21.292791+00	2026-11-21 10:34:21.296657+00	41790000000	2026-11-21 10:34:21.296571+00			\N		0	\N		\N	f	\N	f
00000000-0000-0000-0000-000000000000	dc00f81b-5217-47be-8870-83645a97c7cc	authenticated	authenticated	unconfirmed@x.test	$2a$10$BI8fd9XN53BzCStEa.OgKeqVB8OV6M4Fc3b/AUR7Z78oZosziJ3Cm	\N	\N		\N		\N			\N	\N	{"provider": "email", "providers": ["email"]}	{}	\N	2026-11-21 10:34:21.374081+00	2026-11-21 10:34:21.377601+00	\N	\N			\N		0	\N		\N	f	\N	f
00000000-0000-0000-0000-000000000000	23e23611-a28d-4e8f-b3d8-5d95239fa6e6	authenticated	authenticated	banned@x.test	$2a$10$DO4haF.IW0Z8YgV68ymQhOkH0WEq4/vf4pAsEGMM5JKLp6g3JzWyq	2026-11-21 10:34:21.466755+00	\N		\N		\N			\N	\N	{"provider": "email", "providers": ["email"]}	{"email_verified": true}	\N	2026-11-21 10:34:21.462828+00	2026-11-21 10:34:21.468015+00	\N	\N			\N		0	2126-10-28 10:34:21.467897+00		\N	f	\N	f
00000000-0000-0000-0000-000000000000	45eea572-4251-4c2f-a519-d2538d9759af	authenticated	authenticated	argon@x.test	$argon2id$v=19$m=64,t=2,p=1$YSBzYWx0IGZvciB0ZXN0cw$muzDzqoEf31L7dO8aA9rriULeu+aYh+GRJJv5441NG4	2026-11-21 10:34:21.192825+00	\N		\N		\N			\N	\N	{"provider": "email", "providers": ["email"]}	{"email_verified": true}	\N	2026-11-21 10:34:21.189004+00	2026-11-21 10:34:21.193349+00	\N	\N			\N		0	\N		\N	f	\N	f
00000000-0000-0000-0000-000000000000	f4165589-55f4-49b4-9c7f-4c788274154d	authenticated	authenticated	firebase@x.test	$fbscrypt$v=1,n=10,r=8,p=1,ss=Bw==,sk=YSBzaWduZXIga2V5IG9mIGV4YWN0bHkgc2l4dHktZm91ciBieXRlcywgbWFkZSBmb3IgdGhpcyBvbmUgdGVzdA==$YSBzYWx0IGZvciB0ZXN0cw==$matnrM9/4e7uaonuejzLnwrFYB+xwYrlnoB40Kaduugc6VZixM/wAISHWx8AntPVWTICVt5L6JqFdim4c7sE2w==	2026-11-21 10:34:21.215154+00	\N		\N		\N			\N	\N	{"plan": "gold", "provider": "email", "providers": ["email"]}	{"email_verified": true}	\N	2026-11-21 10:34:21.211068+00	2026-11-21 10:34:21.215707+00	\N	\N			\N		0	\N		\N	f	\N	f
00000000-0000-0000-0000-000000000000	fb0c28ce-da28-4657-8362-80efb38f8856	authenticated	authenticated	DxizRnQao4ZXIvRcSLGXrIoF0MZgrPholQFPWoJl_WE	\N	2026-11-21 10:34:21.548234+00	\N		\N		\N		ySa73nXqcoLkIjglCJYfiVfYB0WPwEqVt81QDlSepl0	\N	\N	{}	{}	\N	2026-11-21 10:34:21.544241+00	2026-11-21 10:34:21.576652+00	ySa73nXqcoLkIjg	\N	ySa73nXqcoLkIjg		\N		0	\N		\N	f	2026-11-21 10:34:21.574041+00	f
00000000-0000-0000-0000-000000000000	3e90d6e6-2ae1-4b15-ab24-baaba4d17c92	authenticated	authenticated	ana@x.test	$2a$10$jnds6NcDMVeAm4klcVPfEOIGI2bhZEDpR6x8PimHjqcUFaT1uHIti	2026-11-21 10:34:21.043045+00	\N		\N	f43915b2b88a1b2c86a2ca538776be9453335a1a422785e04f3a908e	2026-11-21 10:34:21.605064+00			\N	2026-11-21 10:34:21.058876+00	{"provider": "email", "providers": ["email"]}	{"sub": "3e90d6e6-2ae1-4b15-ab24-baaba4d17c92", "email": "ana@x.test", "full_name": "Ana\\tAmsel \\\\ \\"Née\\"\\nLine", "email_verified": true, "phone_verified": false}	\N	2026-11-21 10:34:21.031901+00	2026-11-21 10:34:21.609784+00	\N	\N			\N		0	\N		\N	f	\N	f
\.

COPY auth.webauthn_challenges (id, user_id, challenge_type, session_data, created_at, expires_at) FROM stdin;
\.

COPY auth.webauthn_credentials (id, user_id, credential_id, public_key, attestation_type, aaguid, sign_count, transports, backup_eligible, backed_up, friendly_name, created_at, updated_at, last_used_at) FROM stdin;
\.

SELECT pg_catalog.setval('auth.refresh_tokens_id_seq', 4, true);
