// Sends uploads to a storage server, or does to the disk what an upload does to it. Run by storage.sh:
//   storage-load.mjs put URL TOKEN COUNT AT_ONCE BYTES    objects URL/0 to URL/COUNT-1; prints megabytes a second
//   storage-load.mjs disk FOLDER COUNT AT_ONCE BYTES      files, folders and a log, all synced; prints megabytes a second
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import http from 'node:http'
import { dirname, join } from 'node:path'

const [what, ...words] = process.argv.slice(2)
const PIECE = randomBytes(1 << 20)

/** Runs `work` with 0 to count-1, `atOnce` at a time; resolves to megabytes a second. */
const measure = async (count, atOnce, bytes, work) => {
  let next = 0
  const begun = performance.now()
  const one = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return ((count * bytes) / (1 << 20) / ((performance.now() - begun) / 1000)).toFixed(1)
}

const put = (url, token, bytes, agent) =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream', 'content-length': bytes }
    const request = http.request(url, { method: 'PUT', headers, agent }, (answer) => {
      let text = ''
      answer.on('data', (piece) => (text += piece))
      answer.on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`${url}: ${answer.statusCode} ${text}`))))
    })
    request.on('error', reject)
    let left = bytes
    const send = () => {
      while (left > 0) {
        const piece = left < PIECE.length ? PIECE.subarray(0, left) : PIECE
        left -= piece.length
        if (!request.write(piece)) return void request.once('drain', send)
      }
      request.end()
    }
    send()
  })

/** The same syncs as an upload: the file before it gets its name, the folders down to it, and the log of the database. */
const save = async (folder, number, bytes, log) => {
  const file = await open(join(folder, 'unfinished', String(number)), 'w')
  for (let left = bytes; left > 0; left -= PIECE.length) await file.write(PIECE, 0, Math.min(left, PIECE.length))
  await file.sync()
  await file.close()
  const target = join(folder, 'tenant', 'bucket', 'put', String(number), 'version')
  await mkdir(dirname(target), { recursive: true })
  await rename(join(folder, 'unfinished', String(number)), target)
  for (let at = dirname(target); at.startsWith(folder); at = dirname(at)) {
    const opened = await open(at)
    await opened.sync()
    await opened.close()
  }
  await log()
}

/** Appends a page to a log and syncs it. Appends during a sync share the next one, like PostgreSQL's group commit. */
const grouped = (file) => {
  const page = Buffer.alloc(8192)
  let [running, waiting] = [undefined, undefined]
  const sync = async () => {
    await file.write(page)
    await file.datasync()
  }
  return () => {
    if (running === undefined) return (running = sync().finally(() => ((running = waiting), (waiting = undefined))))
    return (waiting ??= running.then(sync).finally(() => ((running = waiting), (waiting = undefined))))
  }
}

if (what === 'put') {
  const [url, token, ...numbers] = words
  const [count, atOnce, bytes] = numbers.map(Number)
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce })
  console.log(await measure(count, atOnce, bytes, (number) => put(`${url}/${number}`, token, bytes, agent)))
  agent.destroy()
} else {
  const [folder, ...numbers] = words
  const [count, atOnce, bytes] = numbers.map(Number)
  await mkdir(join(folder, 'unfinished'), { recursive: true })
  const file = await open(join(folder, 'log'), 'a')
  const log = grouped(file)
  console.log(await measure(count, atOnce, bytes, (number) => save(folder, number, bytes, log)))
  await file.close()
}
