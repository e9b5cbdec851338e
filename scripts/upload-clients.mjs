// tus-js-client, as its users call it, against a server: uploads in pieces, paused and resumed by the same and by another client,
// several at once, terminated, over an object, and with a signed token. Run by upload-clients.sh. A stream of unknown length is not
// among them: on Node the client announces a whole piece as the length of the last one, which no server can receive.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { mkdtempSync, writeFileSync, createReadStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const { BASE: base, SERVICE_KEY: key, CLIENTS: clients } = process.env
const tus = createRequire(join(clients, 'package.json'))('tus-js-client')
const folder = mkdtempSync(join(tmpdir(), 'upload-clients-'))
const PIECE = 6 * 1024 * 1024
const authorization = `Bearer ${key}`
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

const call = async (method, path, body, headers = {}) => {
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(`${base}${path}`, { method, headers: { authorization, ...json, ...headers }, body: body && JSON.stringify(body) })
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`)
  return answer
}

const stored = async (name) => sha256(Buffer.from(await (await call('GET', `/object/clients/${name}`)).arrayBuffer()))

/** An upload; `more` overrides the client's options. */
const upload = (bytes, name, more = {}) => {
  let done, failed
  const ended = new Promise((resolve, reject) => ([done, failed] = [resolve, reject]))
  const options = {
    endpoint: `${base}/upload/resumable`,
    chunkSize: PIECE,
    retryDelays: [0, 200, 500],
    headers: { authorization },
    metadata: { bucketName: 'clients', objectName: name, contentType: 'application/octet-stream', cacheControl: '60' },
    urlStorage: new tus.FileUrlStorage(join(folder, 'urls.json')),
    onError: failed,
    onSuccess: done,
    ...more,
  }
  return { upload: new tus.Upload(bytes, options), ended }
}

const tests = {
  async 'an upload in pieces'() {
    const bytes = randomBytes(2 * PIECE + 12345)
    const { upload: one, ended } = upload(bytes, 'pieces.bin')
    one.start()
    await ended
    assert.equal(await stored('pieces.bin'), sha256(bytes))
  },
  async 'paused and resumed by the same client'() {
    const bytes = randomBytes(3 * PIECE + 7)
    let paused = false
    const { upload: one, ended } = upload(bytes, 'paused.bin', {
      onChunkComplete: async (_, accepted) => {
        if (paused || accepted >= bytes.length) return
        paused = true
        await one.abort()
        setTimeout(() => one.start(), 50)
      },
    })
    one.start()
    await ended
    assert.ok(paused)
    assert.equal(await stored('paused.bin'), sha256(bytes))
  },
  async 'resumed by another client, from a file'() {
    const bytes = randomBytes(3 * PIECE + 99)
    const path = join(folder, 'file.bin')
    writeFileSync(path, bytes)
    const more = { uploadSize: bytes.length, fingerprint: async () => 'file.bin' }
    await new Promise((resolve) => {
      const { upload: first } = upload(createReadStream(path), 'other.bin', { ...more, onChunkComplete: async () => resolve(await first.abort()) })
      first.start()
    })
    const { upload: second, ended } = upload(createReadStream(path), 'other.bin', more)
    const previous = await second.findPreviousUploads()
    assert.equal(previous.length, 1)
    second.resumeFromPreviousUpload(previous[0])
    let began
    second.options.onProgress = (sent) => (began ??= sent)
    second.start()
    await ended
    assert.ok(began >= PIECE, `it began at ${began}`)
    assert.equal(await stored('other.bin'), sha256(bytes))
  },
  async 'eight at once'() {
    const all = Array.from({ length: 8 }, (_, n) => [`many/${n}.bin`, randomBytes(PIECE / 2 + n)])
    await Promise.all(all.map(([name, bytes]) => {
      const { upload: one, ended } = upload(bytes, name, { chunkSize: 1024 * 1024, storeFingerprintForResuming: false })
      one.start()
      return ended
    }))
    for (const [name, bytes] of all) assert.equal(await stored(name), sha256(bytes))
  },
  async 'with its first bytes in the creation'() {
    const { upload: one, ended } = upload(Buffer.from('hello'), 'first.txt', { uploadDataDuringCreation: true })
    one.start()
    await ended
    assert.equal(await stored('first.txt'), sha256('hello'))
  },
  async 'terminated'() {
    const bytes = randomBytes(3 * PIECE)
    const url = await new Promise((resolve) => {
      const { upload: one } = upload(bytes, 'gone.bin', { onChunkComplete: async () => { await one.abort(true); resolve(one.url) } })
      one.start()
    })
    const looked = await fetch(url, { method: 'HEAD', headers: { authorization, 'tus-resumable': '1.0.0' } })
    assert.ok([404, 410].includes(looked.status), String(looked.status))
  },
  async 'over an object only with x-upsert'() {
    const { upload: refused, ended } = upload(Buffer.from('again'), 'first.txt', { retryDelays: null })
    refused.start()
    await assert.rejects(ended, (error) => error.originalResponse?.getStatus() === 409)
    const { upload: one, ended: replaced } = upload(Buffer.from('again'), 'first.txt', { headers: { authorization, 'x-upsert': 'true' } })
    one.start()
    await replaced
    assert.equal(await stored('first.txt'), sha256('again'))
  },
  async 'with a signed token instead of a session'() {
    const { token } = await (await call('POST', '/object/upload/sign/clients/signed.txt', {})).json()
    const { upload: one, ended } = upload(Buffer.from('signed'), 'signed.txt', { endpoint: `${base}/upload/resumable/sign`, headers: { 'x-signature': token } })
    one.start()
    await ended
    assert.equal(await stored('signed.txt'), sha256('signed'))
  },
}

await call('POST', '/bucket', { name: 'clients' })
let failures = 0
for (const [name, test] of Object.entries(tests)) {
  try {
    await test()
    console.log(`ok ${name}`)
  } catch (error) {
    failures += 1
    console.log(`not ok ${name}: ${error.stack ?? error}`)
  }
}
console.log(`${Object.keys(tests).length - failures} of ${Object.keys(tests).length} passed`)
process.exitCode = failures ? 1 : 0
