import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js'
import { expect, test, type Page, type WebSocketRoute } from '@playwright/test'
import { Dugout } from './dugout.ts'

/** Issue 14, "realtime-js in Chromium": the unmodified client in two tabs, offline and back, over three tokens and a thousand connections. */

const CLIENT = resolve(import.meta.dirname, '../node_modules/@supabase/supabase-js/dist/umd/supabase.js')

type Tab = typeof globalThis & {
  supabase: { createClient: (url: string, key: string, options?: object) => SupabaseClient }
  client: SupabaseClient
  /** The last connection of the client. */
  line: WebSocket
  /** How often the client has sent a join. */
  joins: number
  channel: RealtimeChannel
  heard: unknown[]
  states: string[]
}

let dugout: Dugout
let keys: Awaited<ReturnType<Dugout['status']>>

test.beforeAll(async () => {
  const unlimited = ['CONCURRENT_USERS', 'EVENTS_PER_SECOND', 'JOINS_PER_SECOND']
  dugout = await Dugout.start({
    variables: {
      DUGOUT_REALTIME_PRIVATE_ONLY: 'false',
      ...Object.fromEntries(unlimited.map((name) => [`TENANT_MAX_${name}`, '0'])),
    },
  })
  keys = await dugout.status()
  await dugout.query(`
    create table public.notes (id int primary key, body text);
    grant select on public.notes to authenticated, anon;
    alter publication supabase_realtime add table public.notes;
    create policy test_readers on realtime.messages for select to authenticated using (true);
    create policy test_writers on realtime.messages for insert to authenticated with check (true)`)
})
test.afterAll(() => dugout.stop())

/** A page of the server's origin with the client in it. */
async function open(page: Page): Promise<void> {
  // Init scripts run inside a function, so the file's declarations must be made global.
  const keep = `globalThis.joins = 0
    globalThis.WebSocket = class extends WebSocket {
      constructor(...all) { super(...all); globalThis.line = this }
      send(data) { if (String(data).includes('phx_join')) globalThis.joins += 1; super.send(data) }
    }`
  await page.addInitScript({ content: `${keep}\n${readFileSync(CLIENT, 'utf8')}\n;globalThis.supabase = supabase` })
  await page.goto(`${dugout.url}/health`)
}

/** Joins a channel that keeps what it hears, and waits until it is joined. */
async function join(page: Page, key: string, config: object, token?: string): Promise<void> {
  await page.evaluate(
    async ([url, key, config, token]) => {
      const tab = globalThis as Tab
      tab.heard = []
      tab.states = []
      // At a heartbeat the client replaces a token that was set by its own.
      const realtime = { reconnectAfterMs: () => 20, timeout: 20_000, heartbeatIntervalMs: 600_000 }
      tab.client = tab.supabase.createClient(url, key, { realtime })
      if (token) await tab.client.realtime.setAuth(token)
      tab.channel = tab.client.channel('room', { config })
      tab.channel
        .on('broadcast', { event: '*' }, ({ payload }) => tab.heard.push(payload))
        .on('postgres_changes', { event: '*', schema: 'public', table: 'notes' }, (change) =>
          tab.heard.push(change.new),
        )
        .on('system', {}, (said: { message: string }) => tab.states.push(said.message))
      await new Promise<void>((done) =>
        tab.channel.subscribe((state) => {
          tab.states.push(state)
          if ((state as string) === 'SUBSCRIBED') done()
        }),
      )
    },
    [dugout.url, key, config, token] as const,
  )
  await expect.poll(() => states(page)).toContain('Subscribed to PostgreSQL')
}

const states = (page: Page) => page.evaluate(() => (globalThis as Tab).states)
const heard = (page: Page) => page.evaluate(() => (globalThis as Tab).heard)
const say = (page: Page, payload: object) =>
  page.evaluate((payload) => (globalThis as Tab).channel.send({ type: 'broadcast', event: 'e', payload }), payload)

function tokenFor(seconds: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { role: 'authenticated', sub: crypto.randomUUID(), exp: Math.floor(Date.now() / 1000) + seconds }
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${signed}.${createHmac('sha256', keys.JWT_SECRET).update(signed).digest('base64url')}`
}

test('two tabs hear each other and the database, also after one was offline', async ({ page, context }) => {
  let line: WebSocketRoute | undefined
  let cut = false
  await page.routeWebSocket(/realtime\/v1\/websocket/, (socket) => {
    if (cut) return void socket.close({ code: 1013 })
    line = socket
    socket.connectToServer()
  })
  const other = await context.newPage()
  await Promise.all([open(page), open(other)])
  await join(page, keys.ANON_KEY, { broadcast: { ack: true } })
  await join(other, keys.ANON_KEY, { broadcast: { ack: true } })
  expect(await say(page, { n: 1 })).toBe('ok')
  expect(await say(other, { n: 2 })).toBe('ok')
  await dugout.query("insert into public.notes values (1, 'here')")
  await expect.poll(() => heard(other)).toEqual([{ n: 1 }, { id: 1, body: 'here' }])
  await expect.poll(() => heard(page)).toEqual([{ n: 2 }, { id: 1, body: 'here' }])

  cut = true
  await line?.close({ code: 1013 })
  await expect.poll(() => states(page)).toContain('CHANNEL_ERROR')
  // Messages that are sent while a tab is offline may be lost. After the next "Subscribed" none may be.
  await say(other, { n: 3 })
  await page.evaluate(() => void ((globalThis as Tab).states = []))
  cut = false
  await expect.poll(() => states(page), { timeout: 30_000 }).toContain('Subscribed to PostgreSQL')
  await say(other, { n: 4 })
  await dugout.query("update public.notes set body = 'back'")
  await expect.poll(() => heard(page)).toEqual(expect.arrayContaining([{ n: 4 }, { id: 1, body: 'back' }]))
  await dugout.query('delete from public.notes')
})

test('a channel outlives three tokens, and not the last', async ({ page }) => {
  await open(page)
  await join(page, keys.ANON_KEY, { private: true, broadcast: { self: true, ack: true } }, tokenFor(14))
  for (let life = 1; life <= 3; life += 1) {
    await page.waitForTimeout(8_000)
    await page.evaluate((token) => (globalThis as Tab).client.realtime.setAuth(token), tokenFor(14))
    expect(await say(page, { life })).toBe('ok')
  }
  await expect.poll(() => heard(page)).toEqual([{ life: 1 }, { life: 2 }, { life: 3 }])
  expect(await states(page)).not.toContain('CLOSED')
  await expect
    .poll(async () => (await states(page)).join('; '), { timeout: 40_000 })
    .toMatch(/Token has expired \d+ seconds ago.*CLOSED/)
})

/** `make soak` makes a thousand. */
const CONNECTIONS = Number(process.env.DUGOUT_TEST_CONNECTIONS ?? 60)

/** What became of a message that was sent after so many joins. Runs in the page. */
async function arrival({ number, joins }: { number: number; joins: number }): Promise<string> {
  const tab = globalThis as Tab
  const until = performance.now() + 10_000
  while (performance.now() < until) {
    if (tab.heard.some((one) => (one as { number: number }).number === number)) return 'heard'
    if (tab.joins > joins && (tab.channel.state as string) === 'joined') return 'joined again'
    await new Promise((next) => setTimeout(next, 5))
  }
  return 'lost'
}

test('many connections one after the other lose nothing and leave nothing behind', async ({ page, context }) => {
  test.setTimeout(120_000 + CONNECTIONS * 3_000)
  const other = await context.newPage()
  await Promise.all([open(page), open(other)])
  await join(page, keys.ANON_KEY, {})
  await join(other, keys.ANON_KEY, { broadcast: { ack: true } })
  const memory = async () => {
    const session = await context.newCDPSession(page)
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    await session.detach()
    return usedSize
  }
  /** Connects again so often; each time the other tab says something, which has to arrive. */
  const reconnect = async (from: number, times: number) => {
    for (let number = from; number < from + times; number += 1) {
      await page.evaluate(async () => {
        const tab = globalThis as Tab
        const before = tab.states.length
        tab.line.close(3000)
        const joined = () => tab.states.slice(before).includes('SUBSCRIBED')
        const pause = (ms: number) => new Promise((next) => setTimeout(next, ms))
        while (!joined()) await pause(5)
        tab.states = []
      })
      // The client joins again after 20 ms if the answer to its first join took longer. A message in between is not for it.
      let arrived = 'joined again'
      while (arrived === 'joined again') {
        const joins = await page.evaluate(() => (globalThis as Tab).joins)
        expect(await say(other, { number })).toBe('ok')
        arrived = await page.evaluate(arrival, { number, joins })
      }
      expect(arrived).toBe('heard')
    }
  }
  await reconnect(0, 20)
  const before = await memory()
  const descriptors = dugout.descriptors()
  await page.evaluate(() => void ((globalThis as Tab).heard = []))
  await reconnect(20, CONNECTIONS - 20)
  // One that was said again may be heard twice.
  const numbers = new Set((await heard(page)).map((one) => (one as { number: number }).number))
  expect([...numbers]).toEqual(Array.from({ length: CONNECTIONS - 20 }, (_, index) => index + 20))
  await page.evaluate(() => void ((globalThis as Tab).heard = []))
  // The client itself keeps a little memory for each connection. A leak of channels would be larger.
  expect((await memory()) - before).toBeLessThan(3_000_000)

  // In the server nothing is left of them.
  await expect.poll(() => dugout.descriptors(), { timeout: 30_000 }).toBeLessThan(descriptors + 10)
})
