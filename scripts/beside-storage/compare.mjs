// Sends the same requests to two storage servers and compares the answers: compare.mjs OURS THEIRS RESULTS
// Ids, times, tokens and addresses differ by themselves and are replaced by words. Prints a line for each difference that
// explained.mjs does not name, and writes all of them to RESULTS.
import { writeFileSync } from 'node:fs'
import http from 'node:http'

import { bucketCases } from './buckets.mjs'
import { changeCases } from './changes.mjs'
import { CALLERS, signed } from './credentials.mjs'
import { explanation } from './explained.mjs'
import { objectCases } from './objects.mjs'
import { protocolCases } from './protocols.mjs'

const [ours, theirs, results] = process.argv.slice(2)

/** The headers that clients rely on. */
const HEADERS = ['content-type', 'content-length', 'cache-control', 'etag', 'last-modified', 'expires', 'content-disposition', 'content-range', 'accept-ranges', 'x-robots-tag', 'location', 'tus-resumable', 'tus-version',
  'tus-extension', 'tus-max-size', 'tus-complete', 'upload-offset', 'upload-length', 'upload-metadata', 'upload-expires', 'upload-defer-length', 'x-amz-bucket-region', 'x-amz-meta-a', 'x-amz-meta-n', 'x-amz-missing-meta']

/** A request that keeps the path as it is written: `fetch` would resolve dots. */
const ask = (address, path, { method, headers, body }) =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(address)
    const request = http.request({ hostname, port, method, path, headers, timeout: 30000 }, (answer) => {
      const pieces = []
      answer.on('data', (piece) => pieces.push(piece))
      answer.on('end', () => {
        const text = Buffer.concat(pieces).toString('utf8')
        let json
        try { json = JSON.parse(text) } catch { json = undefined }
        resolve({ status: answer.statusCode, headers: { get: (name) => answer.headers[name] }, text, json })
      })
    })
    // A server that hangs up has answered, too.
    request.on('error', (error) => resolve({ status: 0, headers: { get: () => undefined }, text: error.code ?? error.message }))
    request.on('timeout', () => request.destroy(new Error('no answer')))
    request.end(body)
  })

const plain = (text, address) =>
  text
    .replaceAll(new URL(address).host, '<host>')
    .replace(/ey[\w-]+\.[\w-]+\.[\w-]*/g, '<token>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:?(00)?)?/g, '<time>')
    .replace(/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g, '<time>')
    .replace(/"creationTime":\d+/g, '"creationTime":<time>')
    .replace(/(\/upload\/resumable\/(sign\/)?)[\w-]{20,}/g, '$1<upload>')
    .replace(/(<UploadId>)[^<]+/g, '$1<upload>')
    .replace(/("(nextCursor|nextCursorKey)":")[^"]+/g, '$1<cursor>')
    .replace(/(<(Next)?ContinuationToken>)[^<]+/g, '$1<cursor>')

/** The elements of an XML document in order; nothing of how empty ones and quotes are written. */
const elements = (text) =>
  text
    .replace(/<\?xml[^>]*\?>| xmlns="[^"]*"/g, '')
    .replaceAll('&quot;', '"')
    .replace(/<(\w+)\/>|<(\w+)><\/\2>/g, '')
    .match(/<\w+>[^<]*<\/\w+>|<\/?\w+>/g)
    ?.sort()
    .join('') ?? text

/** JSON with its keys in order, XML with its elements in order, anything else as it is. */
const body = (answer, address) => {
  const sorted = (value) => {
    if (Array.isArray(value)) return value.map(sorted)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
  }
  if (answer.text.startsWith('<?xml')) return elements(plain(answer.text, address))
  return plain(answer.json === undefined ? answer.text : JSON.stringify(sorted(answer.json)), address)
}

const run = async (address, test, kept) => {
  const as = test.as ?? 'service'
  const path = typeof test.path === 'function' ? test.path(kept) : test.path
  if (!path) return { skipped: true }
  const json = typeof test.json === 'function' ? test.json(kept) : test.json
  const content = json === undefined ? test.body : JSON.stringify(json)
  let headers = { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...test.headers }
  if (as.startsWith('s3')) headers = signed(test.method, `${address}${path}`, headers, content, as === 's3' ? undefined : 'wrong')
  else headers = { ...CALLERS[as], ...headers }
  if (content !== undefined) headers['content-length'] = String(Buffer.byteLength(content))
  else if (['PUT', 'POST', 'PATCH'].includes(test.method)) headers['content-length'] = '0'
  const answer = await ask(address, path, { method: test.method, headers, body: content })
  for (const [name, value] of Object.entries(test.keep ?? {})) kept[name] = value(answer)
  return answer
}

const tests = []
const add = (name, method, path, more = {}) => tests.push({ name, method, path, ...more })
for (const cases of [bucketCases, objectCases, changeCases, protocolCases]) cases(add)

const kept = { ours: {}, theirs: {} }
const lines = []
let [same, known, open] = [0, 0, 0]
for (const test of tests) {
  const [mine, other] = await Promise.all([run(ours, test, kept.ours), run(theirs, test, kept.theirs)])
  const differences = []
  const differ = (what, a, b) => a !== b && differences.push({ what, ours: a ?? null, theirs: b ?? null })
  if (mine.skipped || other.skipped) {
    differ('request', Boolean(mine.skipped), Boolean(other.skipped))
  } else {
    differ('status', mine.status, other.status)
    const [a, b] = [body(mine, ours), body(other, theirs)]
    differ('body', a, b)
    for (const name of HEADERS) {
      const values = [[mine, ours], [other, theirs]].map(([answer, address]) => answer.headers.get(name) && plain(String(answer.headers.get(name)), address))
      // The length differs with the body, and nobody reads the type of nothing.
      const isEmpty = a === '' && b === '' && test.method !== 'HEAD'
      if (name === 'content-length' ? a === b && mine.text.length === other.text.length && !isEmpty && mine.status < 300 : name !== 'content-type' || !(a === '' && b === '')) differ(name, ...values)
    }
  }
  const row = { name: test.name, request: `${test.method} ${typeof test.path === 'string' ? test.path.slice(0, 80) : '(kept)'}`, status: other.status }
  for (const difference of differences) difference.why = explanation(test, difference, mine, other)
  if (differences.length === 0) same += 1
  else if (differences.every((difference) => difference.why)) known += 1
  else {
    open += 1
    console.log(JSON.stringify({ ...row, differences: differences.filter((difference) => !difference.why) }))
  }
  lines.push(JSON.stringify({ ...row, ...(differences.length ? { differences } : {}) }))
}
writeFileSync(results, `${lines.join('\n')}\n`)
console.log(`${tests.length} requests: ${same} answered the same, ${known} with a named difference, ${open} with another one`)
process.exitCode = open ? 1 : 0
