// Uses the OAuth server with standard libraries: a client (openid-client), which knows only the issuer, and the app with its
// consent page and its administrator (@supabase/auth-js). Prints what the client received; fails on any unexpected result.
import assert from 'node:assert/strict'
import { AuthClient, GoTrueAdminApi } from '@supabase/auth-js'
import * as client from 'openid-client'

const input = JSON.parse(await new Response(process.stdin).text())
const callback = 'http://localhost:3999/callback'
const scope = 'openid email profile'
const good = ({ data, error }) => {
  assert.equal(error, null)
  return data
}

// A user signs in to the app.
const headers = { apikey: input.anonKey }
const app = new AuthClient({ url: input.issuer, headers, autoRefreshToken: false, persistSession: false })
const { user } = good(await app.signInWithPassword({ email: input.email, password: input.password }))

// A client registers itself.
const registration = {
  client_name: 'Scout',
  redirect_uris: [callback],
  token_endpoint_auth_method: 'client_secret_basic',
  id_token_signed_response_alg: input.algorithm,
}
const options = { execute: [client.allowInsecureRequests] }
const server = new URL(input.issuer)
const registered = await client.dynamicClientRegistration(server, registration, undefined, options)
const { client_id: id, client_secret: secret } = registered.clientMetadata()
const metadata = { id_token_signed_response_alg: input.algorithm }
const known = await client.discovery(server, id, metadata, client.ClientSecretBasic(secret), options)

async function request() {
  const verifier = client.randomPKCECodeVerifier()
  const [state, nonce] = [client.randomState(), client.randomNonce()]
  const url = client.buildAuthorizationUrl(known, {
    redirect_uri: callback,
    scope,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const page = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location'))
  assert.equal(page.pathname, '/oauth/consent')
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
  return { asked: page.searchParams.get('authorization_id'), checks }
}

// The user is asked for consent the first time.
const first = await request()
const details = good(await app.oauth.getAuthorizationDetails(first.asked))
assert.deepEqual(details.client, { id, name: 'Scout' })
assert.deepEqual(details.user, { id: user.id, email: input.email })
assert.deepEqual([details.scope, details.redirect_uri], [scope, callback])
const approved = good(await app.oauth.approveAuthorization(first.asked, { skipBrowserRedirect: true }))
const tokens = await client.authorizationCodeGrant(known, new URL(approved.redirect_url), first.checks)
const claims = tokens.claims()
assert.deepEqual([claims.sub, claims.aud, claims.email, claims.email_verified], [user.id, id, input.email, true])
const info = await client.fetchUserInfo(known, tokens.access_token, user.id)
assert.deepEqual([info.email, info.email_verified, info.user_metadata.email], [input.email, true, input.email])

// The client uses and refreshes its token.
const refreshed = await client.refreshTokenGrant(known, tokens.refresh_token)
assert.equal(refreshed.id_token, undefined)
await client.fetchUserInfo(known, refreshed.access_token, user.id)

// The second time the user is only asked if the client wants more scopes.
const second = await request()
const decided = good(await app.oauth.getAuthorizationDetails(second.asked))
await client.authorizationCodeGrant(known, new URL(decided.redirect_url), second.checks)

// The user revokes the grant.
const [grant] = good(await app.oauth.listGrants())
assert.deepEqual([grant.client.id, grant.scopes], [id, scope.split(' ')])
good(await app.oauth.revokeGrant({ clientId: id }))
assert.deepEqual(good(await app.oauth.listGrants()), [])
await assert.rejects(client.refreshTokenGrant(known, refreshed.refresh_token))
await assert.rejects(client.fetchUserInfo(known, refreshed.access_token, user.id))

// The user denies consent.
const third = await request()
good(await app.oauth.getAuthorizationDetails(third.asked))
const denied = good(await app.oauth.denyAuthorization(third.asked, { skipBrowserRedirect: true }))
const refusal = client.authorizationCodeGrant(known, new URL(denied.redirect_url), third.checks)
await assert.rejects(refusal, { error: 'access_denied', error_description: 'User denied the request' })

// The administrator manages the clients.
const own = { apikey: input.serviceRoleKey, Authorization: `Bearer ${input.serviceRoleKey}` }
const admin = new GoTrueAdminApi({ url: input.issuer, headers: own })
const made = good(await admin.oauth.createClient({ client_name: 'Own', redirect_uris: ['https://own.test/cb'] }))
assert.deepEqual([made.client_type, made.registration_type, made.client_secret.length], ['confidential', 'manual', 43])
const { clients } = good(await admin.oauth.listClients())
assert.deepEqual(clients.map(({ client_name: name }) => name), ['Own', 'Scout'])
const changed = good(await admin.oauth.updateClient(made.client_id, { client_name: 'Ours', grant_types: ['refresh_token'] }))
assert.deepEqual([changed.client_name, changed.grant_types, changed.client_secret], ['Ours', ['refresh_token'], undefined])
const renewed = good(await admin.oauth.regenerateClientSecret(made.client_id))
assert.notEqual(renewed.client_secret, made.client_secret)
assert.equal(good(await admin.oauth.getClient(made.client_id)).client_name, 'Ours')
good(await admin.oauth.deleteClient(made.client_id))
assert.equal((await admin.oauth.getClient(made.client_id)).error.code, 'oauth_client_not_found')

process.stdout.write(JSON.stringify({ claims, accessToken: tokens.access_token, refreshed: refreshed.access_token, id }))
