// Latency of a normal client beside many slow ones:  node bench/slow.mjs URL ANON_KEY [CONNECTIONS]
// A tenth of the connections request 600 kB and read none of it; the others send a head or a body byte by byte. The readers
// start first, because their cost in PostgreSQL is not a matter of slowness.
import http from 'node:http'
import net from 'node:net'

const [url, key, count = '5000'] = process.argv.slice(2)
const { hostname, port } = new URL(url)
const path = '/rest/v1/slow_bench?select=id&limit=1'
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const once = () =>
  new Promise((resolve, reject) => {
    const begun = process.hrtime.bigint()
    const request = http.get({ hostname, port, path, agent, headers: { apikey: key } }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve([Number(process.hrtime.bigint() - begun) / 1e6, answer.statusCode]))
    })
    request.on('error', reject)
  })

async function healthy(seconds) {
  const times = []
  let failed = 0
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    const [time, status] = await once()
    times.push(time)
    if (status !== 200) failed += 1
    await pause(2)
  }
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.floor(times.length * share)].toFixed(2)
  return { requests: times.length, failed, p50: at(0.5), p99: at(0.99) }
}

const slow = []
const ended = { head: 0, body: 0, reader: 0 }
function open(kind) {
  const socket = net.connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.on('close', () => (ended[kind] += 1))
  socket.on('connect', () => {
    if (kind === 'head') socket.write('GET / HTTP/1.1\r\nhost: x\r\nx: ')
    if (kind === 'body') {
      socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\napikey: ${key}\r\ncontent-length: 100000\r\n\r\n`)
    }
    if (kind === 'reader') {
      socket.write(`GET /rest/v1/slow_bench?select=text HTTP/1.1\r\nhost: x\r\napikey: ${key}\r\n\r\n`)
      socket.pause()
    } else socket.resume()
  })
  slow.push([socket, kind])
}

for (let n = 0; n < 20; n += 1) await once()
const before = await healthy(5)
const readers = Math.floor(Number(count) / 10)
for (let n = 0; n < readers; n += 1) {
  open('reader')
  await pause(20)
}
await once()
for (let n = readers; n < Number(count); n += 1) {
  open(['head', 'body'][n % 2])
  if (n % 100 === 99) await pause(10)
}
const opened = slow.filter(([socket]) => socket.readyState === 'open').length
const dripping = setInterval(() => {
  for (const [socket, kind] of slow) if (kind !== 'reader' && socket.writable) socket.write('a')
}, 1000)
const during = await healthy(4)
await pause(20_000)
clearInterval(dripping)
console.log(JSON.stringify({ connections: Number(count), opened, before, during, ended, ratio: (during.p99 / before.p99).toFixed(2) }))
process.exit(0)
