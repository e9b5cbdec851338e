// Node's cryptography, to compare with ours. Without input: prints a private key for each algorithm. With {token, jwks} on
// stdin: prints the token's claims, if one of the public keys verifies it.
import { createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const kinds = {
  ES256: ['ec', { namedCurve: 'P-256' }],
  RS256: ['rsa', { modulusLength: 2048 }],
  EdDSA: ['ed25519', {}],
};

if (process.argv[2] === 'make') {
  const made = Object.entries(kinds).map(([alg, [kind, options]]) => {
    const key = generateKeyPairSync(kind, options).privateKey.export({ format: 'jwk' });
    return { ...key, alg, kid: randomUUID() };
  });
  console.log(JSON.stringify(made));
} else {
  const { token, jwks } = JSON.parse(readFileSync(0, 'utf8'));
  const [head, payload, signature] = token.split('.');
  const header = JSON.parse(Buffer.from(head, 'base64url'));
  const jwk = jwks.keys.find((key) => key.kid === header.kid && key.alg === header.alg);
  if (!jwk) throw new Error(`no key for ${JSON.stringify(header)}`);
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const digest = header.alg === 'EdDSA' ? null : 'sha256';
  const options = header.alg === 'ES256' ? { key, dsaEncoding: 'ieee-p1363' } : key;
  if (!verify(digest, Buffer.from(`${head}.${payload}`), options, Buffer.from(signature, 'base64url'))) {
    throw new Error('the signature is not good');
  }
  console.log(Buffer.from(payload, 'base64url').toString());
}
