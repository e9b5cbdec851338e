// Uppy with its plugin for TUS, as its users call it, against a server: files in parallel, paused and resumed one by one and all
// together, resumed by another instance, cancelled, tried again after an error, and with a signed token. Run by upload-clients.sh.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { BASE: base, SERVICE_KEY: key, CLIENTS: clients } = process.env
const { resolve } = createRequire(join(clients, 'package.json'))
const load = (name) => import(pathToFileURL(resolve(name)))
const [{ default: Uppy }, { default: Tus }, { FileUrlStorage }] = await Promise.all(['@uppy/core', '@uppy/tus', 'tus-js-client'].map(load))
const folder = mkdtempSync(join(tmpdir(), 'upload-clients-uppy-'))
const PIECE = 1024 * 1024
const authorization = `Bearer ${key}`
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

const call = async (method, path, body) => {
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(`${base}${path}`, { method, headers: { authorization, ...json }, body: body && JSON.stringify(body) })
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`)
  return answer
}
const stored = async (name) => sha256(Buffer.from(await (await call('GET', `/object/uppy/${name}`)).arrayBuffer()))

/** An uploader configured as in Supabase's guide. */
const uploader = (more = {}) =>
  new Uppy({ autoProceed: false }).use(Tus, {
    endpoint: `${base}/upload/resumable`,
    headers: { authorization },
    chunkSize: PIECE,
    uploadDataDuringCreation: true,
    removeFingerprintOnSuccess: true,
    retryDelays: [0, 200, 500],
    allowedMetaFields: ['bucketName', 'objectName', 'contentType', 'cacheControl'],
    ...more,
  })

const add = (uppy, name, bytes) =>
  uppy.addFile({
    name,
    type: 'application/octet-stream',
    data: bytes,
    meta: { bucketName: 'uppy', objectName: name, contentType: 'application/octet-stream', cacheControl: '60' },
  })

/** Resolves when a file has sent at least so many bytes. */
const sent = (uppy, bytes, id) =>
  new Promise((done) => {
    const look = (file, progress) => {
      if ((id && file?.id !== id) || progress.bytesUploaded < bytes) return
      uppy.off('upload-progress', look)
      done(progress.bytesUploaded)
    }
    uppy.on('upload-progress', look)
  })

const all = (result, count) => {
  assert.deepEqual(result.failed, [])
  assert.equal(result.successful.length, count)
}
const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))

const tests = {
  async 'many files in parallel'() {
    const uppy = uploader({ limit: 5 })
    const files = Array.from({ length: 12 }, (_, n) => [`many/${n}.bin`, randomBytes(2 * PIECE + n)])
    for (const [name, bytes] of files) add(uppy, name, bytes)
    all(await uppy.upload(), files.length)
    for (const [name, bytes] of files) assert.equal(await stored(name), sha256(bytes))
  },
  async 'one file paused and resumed'() {
    const uppy = uploader()
    const bytes = randomBytes(8 * PIECE + 7)
    const id = add(uppy, 'paused.bin', bytes)
    const ended = uppy.upload()
    await sent(uppy, 2 * PIECE, id)
    assert.equal(uppy.pauseResume(id), true)
    await pause(300)
    assert.ok(uppy.getFile(id).progress.bytesUploaded < bytes.length)
    assert.equal(uppy.pauseResume(id), false)
    all(await ended, 1)
    assert.equal(await stored('paused.bin'), sha256(bytes))
  },
  async 'all files paused and resumed'() {
    const uppy = uploader({ limit: 3 })
    const files = Array.from({ length: 3 }, (_, n) => [`all/${n}.bin`, randomBytes(6 * PIECE + n)])
    for (const [name, bytes] of files) add(uppy, name, bytes)
    const ended = uppy.upload()
    await sent(uppy, PIECE)
    uppy.pauseAll()
    await pause(300)
    uppy.resumeAll()
    all(await ended, files.length)
    for (const [name, bytes] of files) assert.equal(await stored(name), sha256(bytes))
  },
  async 'resumed by another instance'() {
    const bytes = randomBytes(6 * PIECE + 99)
    const urlStorage = new FileUrlStorage(join(folder, 'urls.json'))
    const first = uploader({ urlStorage })
    add(first, 'other.bin', bytes)
    // Simulates a closed page: the upload is never ended.
    first.upload().catch(() => undefined)
    await sent(first, 2 * PIECE)
    first.pauseAll()
    await pause(300)
    const second = uploader({ urlStorage })
    const methods = []
    const plugin = second.getPlugin('Tus')
    plugin.setOptions({ onBeforeRequest: (request) => void methods.push(request.getMethod()) })
    add(second, 'other.bin', bytes)
    all(await second.upload(), 1)
    assert.equal(methods[0], 'HEAD', `it began with ${methods}`)
    assert.ok(methods.filter((method) => method === 'PATCH').length < 6, `${methods}`)
    assert.equal(await stored('other.bin'), sha256(bytes))
  },
  async 'cancelled'() {
    const uppy = uploader()
    const id = add(uppy, 'gone.bin', randomBytes(8 * PIECE))
    const ended = uppy.upload().catch(() => undefined)
    await sent(uppy, 2 * PIECE, id)
    const { uploadUrl } = uppy.getFile(id).tus ?? {}
    uppy.removeFile(id)
    await Promise.race([ended, pause(2000)])
    await pause(300)
    assert.ok(uploadUrl, 'the upload has an address')
    const looked = await fetch(uploadUrl, { method: 'HEAD', headers: { authorization, 'tus-resumable': '1.0.0' } })
    assert.ok([404, 410].includes(looked.status), String(looked.status))
  },
  async 'tried again after an error'() {
    let refuse = true
    const uppy = uploader({ headers: () => (refuse ? { authorization: 'Bearer no' } : { authorization }), retryDelays: [] })
    const bytes = randomBytes(PIECE + 1)
    const id = add(uppy, 'again.bin', bytes)
    assert.equal((await uppy.upload()).failed.length, 1)
    refuse = false
    all(await uppy.retryAll(), 1)
    assert.equal(await stored('again.bin'), sha256(bytes))
    assert.ok(uppy.getFile(id).progress.uploadComplete)
  },
  async 'with a signed token instead of a session'() {
    const { token } = await (await call('POST', '/object/upload/sign/uppy/signed.bin', {})).json()
    const uppy = uploader({ endpoint: `${base}/upload/resumable/sign`, headers: { 'x-signature': token } })
    const bytes = randomBytes(2 * PIECE)
    add(uppy, 'signed.bin', bytes)
    all(await uppy.upload(), 1)
    assert.equal(await stored('signed.bin'), sha256(bytes))
  },
}

await call('POST', '/bucket', { name: 'uppy' })
let failures = 0
for (const [name, test] of Object.entries(tests)) {
  try {
    await test()
    console.log(`ok Uppy: ${name}`)
  } catch (error) {
    failures += 1
    console.log(`not ok Uppy: ${name}: ${error.stack ?? error}`)
  }
}
console.log(`Uppy: ${Object.keys(tests).length - failures} of ${Object.keys(tests).length} passed`)
process.exit(failures ? 1 : 0)
