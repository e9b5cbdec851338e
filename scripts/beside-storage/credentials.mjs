// Who a request comes from: headers for tokens, and signatures as AWS documents them (Signature Version 4).
import { createHash, createHmac } from 'node:crypto'

export const SECRET = 'a-secret-of-at-least-thirty-two-characters'
export const KEY = { id: 'beside-id', secret: 'beside-secret' }

const url = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

export const token = (claims, secret = SECRET, alg = 'HS256') => {
  const body = `${url({ alg, typ: 'JWT' })}.${url({ iat: 1700000000, exp: 4000000000, ...claims })}`
  return `${body}.${alg === 'none' ? '' : createHmac('sha256', secret).update(body).digest('base64url')}`
}

const bearer = (text) => ({ authorization: `Bearer ${text}` })

export const CALLERS = {
  service: bearer(token({ role: 'service_role' })),
  anon: bearer(token({ role: 'anon' })),
  user: bearer(token({ role: 'authenticated', sub: '317eadce-631a-4429-a0bb-f19a7a517b4a' })),
  none: {},
  bad: bearer('bad'),
  expired: bearer(token({ role: 'service_role', exp: 1700000001 })),
  unsigned: bearer(token({ role: 'service_role' }, '', 'none')),
  foreign: bearer(token({ role: 'service_role' }, 'another-secret-of-thirty-two-characters')),
  basic: { authorization: 'Basic eDp5' },
}

const hmac = (key, text) => createHmac('sha256', key).update(text).digest()
const hex = (text) => createHash('sha256').update(text).digest('hex')
const encode = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

/** The headers of a signed request; `address` is its URL. */
export const signed = (method, address, headers, body, secret = KEY.secret) => {
  const at = new URL(address)
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const hash = hex(body ?? '')
  const all = { ...headers, host: at.host, 'x-amz-content-sha256': hash, 'x-amz-date': time }
  const names = Object.keys(all).sort()
  const query = [...at.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort().join('&')
  const path = at.pathname.split('/').map((part) => encode(decodeURIComponent(part))).join('/')
  const canonical = [method, path, query, ...names.map((name) => `${name}:${all[name]}`), '', names.join(';'), hash].join('\n')
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`
  const key = scope.split('/').reduce(hmac, `AWS4${secret}`)
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, hex(canonical)].join('\n')).toString('hex')
  delete all.host
  return { ...all, authorization: `AWS4-HMAC-SHA256 Credential=${KEY.id}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}` }
}
