import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

/** The most JavaScript, in bytes with gzip, that a screen may load before it is painted, beyond what all signed-in screens share. */
const LIMIT = 60_000
/** Screens that are above it, with what they have today: most of it are the forms (zod, react-hook-form), which are the screen. */
const ABOVE: Readonly<Record<string, number>> = {
  scoreGame: 143_500,
  signIn: 77_500,
  secondFactor: 77_500,
  consent: 77_500,
  resetPassword: 77_500,
  contact: 69_000,
  player: 65_500,
  team: 62_000,
  newsroom: 61_500,
  article: 61_500,
  scout: 61_500,
}
/** Not screens: what is around them. */
const FRAMES = ['data', 'shell', 'visitorFrame', 'signInToSee', 'unbuilt']

const FRONTEND = resolve(import.meta.dirname, '../..')
const DIST = join(FRONTEND, 'dist')
const built = existsSync(join(DIST, 'index.html'))

/** The files of each import of src/app/loads.ts, by its name there: the build keeps their order. */
function filesOfScreens(): Map<string, string[]> {
  const start = readdirSync(join(DIST, 'assets')).find((name) => /^start-.*\.js$/.test(name))
  assert(start, 'the build has a file start-*.js')
  const code = readFileSync(join(DIST, 'assets', start), 'utf8')
  const list = /m\.f=(\[.*?\])/.exec(code)?.[1]
  assert(list, 'start-*.js has the list of files')
  const files = JSON.parse(list) as string[]
  const names = Array.from(
    readFileSync(join(FRONTEND, 'src/app/loads.ts'), 'utf8').matchAll(/^export const (\w+) =[^]*?import\(/gm),
    ([, name]) => name ?? '',
  )
  // The last import of start.ts is that of the app itself.
  const loads = Array.from(
    code.matchAll(/import\(`\.\/[^`]+`\)[^]*?__vite__mapDeps\(\[([\d,]*)\]\)/g),
    ([, ids = '']) => ids.split(',').map((id) => files[Number(id)] ?? ''),
  ).slice(0, names.length)
  assert.equal(loads.length, names.length, 'every import of loads.ts is in the build')
  return new Map(names.map((name, n) => [name, loads[n] ?? []]))
}

/** In the page itself. */
const filesOfPage = () =>
  Array.from(
    readFileSync(join(DIST, 'index.html'), 'utf8').matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g),
    ([, file]) => file ?? '',
  )

const sizeOf = (file: string) => gzipSync(readFileSync(join(DIST, file))).length

test('the JavaScript of each screen', { skip: !built && 'scripts/build-app.sh makes frontend/dist' }, (context) => {
  const screens = filesOfScreens()
  const shared = new Set([...filesOfPage(), ...(screens.get('data') ?? []), ...(screens.get('shell') ?? [])])
  const sizes = [...screens]
    .filter(([name]) => !FRAMES.includes(name))
    .map(([name, files]) => {
      const own = [...new Set(files)].filter((file) => file.endsWith('.js') && !shared.has(file))
      return { name, size: own.reduce((sum, file) => sum + sizeOf(file), 0), own }
    })
    .sort((a, b) => b.size - a.size)
  for (const { name, size } of sizes) context.diagnostic(`${name} ${(size / 1000).toFixed(1)} kB`)
  // A mistake in the reading of the build would find nothing.
  const leaderboard = sizes.find(({ name }) => name === 'leaderboard')
  assert(
    leaderboard?.own.some((file) => file.includes('/leaderboard-')),
    'the screen of leaderboards has its own file',
  )
  const above = sizes.filter(({ name, size }) => size > (ABOVE[name] ?? LIMIT))
  assert.deepEqual(
    above.map(({ name, size, own }) => `${name}: ${size} bytes in ${own.join(' ')}`),
    [],
  )
  const small = Object.keys(ABOVE).filter((name) => (sizes.find((one) => one.name === name)?.size ?? 0) <= LIMIT)
  assert.deepEqual(small, [], 'no exception is needed for these')
})
