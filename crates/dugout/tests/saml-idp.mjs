// An identity provider for the tests (samlify), and a signer for arbitrary documents (xml-crypto), so that forged responses come
// from independent code. Prints its address as a line of JSON. Ends when its standard input is closed.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import samlify from 'samlify'
import { SignedXml } from 'xml-crypto'

// The server under test validates its responses, and the tests validate the server's requests.
samlify.setSchemaValidator({ validate: async () => 'not looked at' })

const ENTITY_ID = 'https://idp.test/metadata'
const { namespace } = samlify.Constants
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

// Keys and certificates only for these tests.
const keys = JSON.parse(readFileSync(new URL('saml-idp-keys.json', import.meta.url), 'utf8'))

function identityProvider(pair, more = {}) {
  return samlify.IdentityProvider({
    entityID: ENTITY_ID,
    privateKey: pair.key,
    signingCert: pair.certificate,
    wantAuthnRequestsSigned: true,
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    nameIDFormat: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
    singleSignOnService: [{ Binding: namespace.binding.redirect, Location: 'https://idp.test/in?tenant=7' }],
    loginResponseTemplate: {
      context: samlify.SamlLib.defaultLoginResponseTemplate.context,
      attributes: [
        { name: 'mail', valueTag: 'mail', nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic', valueXsiType: 'xs:string' },
      ],
    },
    ...more,
  })
}

const idp = identityProvider(keys.own)

const minutes = (count) => new Date(Date.now() + count * 60_000).toISOString()

/** Reads an AuthnRequest and creates the response, both with samlify. */
async function login({ url, metadata, person, encrypt = false, signed = 'assertion' }) {
  const sp = samlify.ServiceProvider({ metadata, wantMessageSigned: signed !== 'assertion' })
  const provider = encrypt ? identityProvider(keys.own, { isAssertionEncrypted: true, ...encrypt }) : idp
  const address = new URL(url)
  const query = Object.fromEntries(address.searchParams)
  const raw = (name) => address.search.match(new RegExp(`[?&](${name}=[^&]*)`))[1]
  const octetString = ['SAMLRequest', 'RelayState', 'SigAlg'].map(raw).join('&')
  const request = await provider.parseLoginRequest(sp, 'redirect', { query, octetString })
  const id = `_${crypto.randomUUID()}`
  const answer = await provider.createLoginResponse(sp, request, 'post', person, {
    relayState: query.RelayState,
    encryptThenSign: false,
    customTagReplacement: (template) => ({
      id,
      context: samlify.SamlLib.replaceTagsByValue(template, {
        ID: id,
        AssertionID: `_${crypto.randomUUID()}`,
        Destination: request.extract.request.assertionConsumerServiceUrl,
        Audience: sp.entityMeta.getEntityID(),
        SubjectRecipient: request.extract.request.assertionConsumerServiceUrl,
        NameIDFormat: request.extract.nameIDPolicy.format,
        NameID: person.id,
        Issuer: ENTITY_ID,
        IssueInstant: minutes(0),
        ConditionsNotBefore: minutes(-1),
        ConditionsNotOnOrAfter: minutes(5),
        SubjectConfirmationDataNotOnOrAfter: minutes(5),
        StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
        InResponseTo: request.extract.request.id,
        AuthnStatement: '',
        attrMail: person.mail,
      }),
    }),
  })
  return { response: answer.context, relay_state: query.RelayState, request: request.extract }
}

/** Signs elements of a document, one after the other. */
function sign({ xml, signatures }) {
  for (const signature of signatures) {
    const { element, key = 'own', hash = 'sha256', transforms = [ENVELOPED, EXCLUSIVE] } = signature
    const signer = new SignedXml({
      privateKey: keys[key].key,
      publicCert: keys[key].certificate,
      idAttribute: 'ID',
      signatureAlgorithm:
        hash === 'sha1' ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' : `http://www.w3.org/2001/04/xmldsig-more#rsa-${hash}`,
      canonicalizationAlgorithm: signature.canonicalization ?? EXCLUSIVE,
    })
    signer.addReference({
      xpath: element,
      transforms,
      digestAlgorithm: `http://www.w3.org/${hash === 'sha1' ? '2000/09/xmldsig' : '2001/04/xmlenc'}#${hash}`,
      isEmptyUri: signature.emptyUri ?? false,
      inclusiveNamespacesPrefixList: signature.prefixes ?? [],
    })
    const at = signature.at ?? { reference: `${element}/*[local-name()='Issuer']`, action: 'after' }
    signer.computeSignature(xml, { prefix: 'ds', location: at })
    xml = signer.getSignedXml()
  }
  return { xml }
}

const metadata = { own: idp.getMetadata() }
metadata.other = identityProvider(keys.other).getMetadata()
metadata.short = identityProvider(keys.short).getMetadata()

const deeds = { login, sign, metadata: async () => metadata }
const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  try {
    const said = await deeds[request.url.slice(1)](JSON.parse(body || '{}'))
    response.end(JSON.stringify(said))
  } catch (error) {
    response.statusCode = 500
    response.end(String(error?.stack ?? error))
  }
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })))
process.stdin.on('end', () => process.exit()).resume()
