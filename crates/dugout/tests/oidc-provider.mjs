// Two OpenID Connect providers for the tests (oidc-provider), the second one unrelated. Prints their addresses as a line of
// JSON. `login_hint` describes the user who signs in, as JSON: claims, or `refuse`. Ends when its standard input is closed.
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

// Silences the library's log output.
console.info = () => {}

const people = new Map()

async function start() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${server.address().port}`
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
  const client = (client_id, token_endpoint_auth_method) => ({
    client_id,
    client_secret: 'secret of the client',
    redirect_uris: ['https://api.test/callback'],
    token_endpoint_auth_method,
  })
  const provider = new Provider(issuer, {
    clients: [client('dugout', 'client_secret_basic'), client('dugout-post', 'client_secret_post')],
    jwks: { keys: [{ ...key, kid: issuer, alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['only for tests'] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'picture', 'preferred_username', 'updated_at', 'groups'],
    },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    // Keycloak's paths.
    routes: {
      authorization: '/protocol/openid-connect/auth',
      token: '/protocol/openid-connect/token',
      userinfo: '/protocol/openid-connect/userinfo',
      jwks: '/protocol/openid-connect/certs',
    },
    pkce: { required: () => false },
    subjectTypes: ['pairwise'],
    pairwiseIdentifier: (_ctx, accountId) => people.get(accountId).sub,
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => people.get(accountId) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile offline_access')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', async (request, response) => {
    if (!request.url.startsWith('/interaction/')) return answer(request, response)
    const { params } = await provider.interactionDetails(request, response)
    const person = JSON.parse(params.login_hint)
    // Many tests use the same user name.
    const accountId = randomUUID()
    people.set(accountId, person)
    const result = person.refuse
      ? { error: 'access_denied', error_description: 'Not today, thanks' }
      : { login: { accountId, remember: false } }
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  })
  return issuer
}

process.stdout.write(`${JSON.stringify({ issuer: await start(), other: await start() })}\n`)
process.stdin.resume().on('end', () => process.exit())
