import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { choose, type Entry } from './scoring.ts'

/** An event file as the page and the engine get it. */
export type WholeGame = { entries: Entry[]; records: string[] }

const ARCHIVE = resolve(import.meta.dirname, '../../../shared/data/retrosheet/2016eve.zip')
const [FILE, GAME] = ['2016LAN.EVN', 'LAN201605120']

/** A game of ours, where the archive is absent: every kind of play of the other one, in three innings. */
const OURS = [
  ...['v', 'h'].flatMap((letter, side) =>
    Array.from(
      { length: 9 },
      (_, at) => `start,${letter}${at + 1},"${letter} ${at + 1}",${side},${at + 1},${at === 8 ? 1 : at + 2}`,
    ),
  ),
  'play,1,0,v1,,,K',
  'play,1,0,v2,,,W',
  'play,1,0,v3,,,S7/L.1-3',
  'play,1,0,v4,,,64(1)3/GDP',
  'play,1,1,h1,,,HR/7/F',
  'play,1,1,h2,,,63/G',
  'play,1,1,h3,,,8/F',
  'play,1,1,h4,,,6/P',
  'play,2,0,v5,,,S9/G',
  'play,2,0,v6,,,BK.1-2',
  'play,2,0,v6,,,K',
  'play,2,0,v7,,,D8/L.2-H',
  'play,2,0,v8,,,3/G',
  'sub,v10,"v 10",0,9,11',
  'play,2,0,v10,,,K',
  'sub,v11,"v 11",0,9,1',
  ...['h5', 'h6', 'h7'].map((batter) => `play,2,1,${batter},,,7/F`),
  ...['v1', 'v2', 'v3'].map((batter) => `play,3,0,${batter},,,43/G`),
  'play,3,1,h8,,,S8/L',
  'play,3,1,h9,,,HR/8/F.1-H',
]

/** A game of nine innings from the archive, or the one of ours. */
export function wholeGame(): WholeGame & { innings: number } {
  if (!existsSync(ARCHIVE)) return { ...parsed(OURS), innings: 3 }
  const files = unzipSync(readFileSync(ARCHIVE), { filter: ({ name }) => name.endsWith(FILE) })
  const text = Object.values(files).map((bytes) => strFromU8(bytes))[0] ?? ''
  const [, rest = ''] = text.split(`id,${GAME}`)
  const [own = ''] = rest.split(/^id,/m)
  return { ...parsed(own.split(/\r?\n/)), innings: 9 }
}

function parsed(lines: readonly string[]): WholeGame {
  const ids = new Map<string, string>()
  const entries: Entry[] = []
  const records: string[] = []
  for (const line of lines) {
    const [kind = '', ...parts] = line.split(',')
    const [id = '', name = '', side = ''] = parts
    if (kind === 'start' || kind === 'sub') {
      if (!ids.has(id)) {
        ids.set(id, randomUUID())
        const [order, position] = kind === 'start' ? [Number(parts[3]), Number(parts[4])] : [null, null]
        entries.push({
          athlete: ids.get(id) ?? '',
          side: Number(side),
          order,
          position,
          name: name.replaceAll('"', ''),
        })
      }
      if (kind === 'sub') records.push(`sub,${ids.get(id)},"",${parts.slice(2).join(',')}`)
    }
    // Without counts and pitches, which the test does not enter.
    const event = parts[5] ?? ''
    if (kind === 'play' && event !== 'NP') {
      records.push(`play,${parts[0]},${parts[1]},${ids.get(parts[2] ?? '')},??,,${event}`)
    }
  }
  return { entries, records }
}

const FIELD = ['', 'P', 'C', '1B', '2B', '3B', 'SS', 'LF', 'CF', 'RF']
const fielders = (sequence: string) => Array.from(sequence).map((digit) => `${digit} ${FIELD[Number(digit)]}`)
const OUTS: Record<string, string> = { G: 'Ground out', F: 'Fly out', L: 'Line out', P: 'Pop out' }
const HITS: Record<string, string> = { S: '1B', D: '2B', T: '3B' }

/** What to tap for an event: the kind, then the fielders. Running plays are behind "Runners". */
function taps(event: string): { kind: string; fielders: string[]; running?: boolean } {
  const [main = ''] = event.split('.')
  const [basic = '', ...modifiers] = main.split('/')
  if (basic === 'K') return { kind: 'K swinging', fielders: [] }
  if (basic === 'W') return { kind: 'Walk', fielders: [] }
  if (basic === 'BK') return { kind: 'Balk', fielders: [], running: true }
  if (basic === 'HR') return { kind: 'HR', fielders: fielders(/^\d/.exec(modifiers[0] ?? '')?.[0] ?? '') }
  const hit = HITS[basic[0] ?? '']
  if (hit) return { kind: hit, fielders: fielders(basic.slice(1)) }
  if (modifiers.includes('GDP')) return { kind: 'Double play', fielders: fielders(basic.replace(/\(.\)/, '')) }
  const out = modifiers.map((modifier) => OUTS[modifier[0] ?? '']).find(Boolean)
  if (/^\d+$/.test(basic) && out) return { kind: out, fielders: fielders(basic) }
  throw new Error(`This test does not enter ${event}.`)
}

const BASES = ['', '1st', '2nd', '3rd', 'Home']

/** Enters a play of an event file through the page. */
export async function enterRecord(page: Page, record: string, name: (id: string) => string) {
  const [kind, ...parts] = record.split(',')
  if (kind === 'sub') return enterSub(page, parts, name)
  const event = parts[5] ?? ''
  const { kind: choice, fielders, running = false } = taps(event)
  const batter = page.getByText(/ bats against /)
  const before = await batter.innerText()
  expect(before.startsWith(name(parts[2] ?? ''))).toBe(true)
  if (running) await page.getByText('Runners', { exact: true }).click()
  await choose(page, choice)
  const save = page.getByRole('button', { name: 'Save play' })
  const again = page.getByText(before, { exact: true })
  // Either the play is entered at once, or it asks for a second look.
  await expect.poll(async () => (await save.count()) > 0 || (await again.count()) === 0, { timeout: 30_000 }).toBe(true)
  if ((await save.count()) > 0) {
    const clear = page.getByRole('button', { name: 'Clear fielders' })
    if (fielders.length > 0 && (await clear.count()) > 0) await clear.click()
    for (const fielder of fielders) await choose(page, fielder)
    await setEnds(page, event)
    await save.click()
    await expect(save).toHaveCount(0)
  }
  if (!running) await expect(again).toHaveCount(0)
}

/** Says where each runner ends, as the event's advances do. */
async function setEnds(page: Page, event: string) {
  const advances = new Map((event.split('.')[1] ?? '').split(';').map((text) => [text[0], text[2]]))
  const retired = /\((\d)\)/.exec(event)?.[1]
  for (const from of ['1', '2', '3']) {
    const runner = page.getByRole('group', { name: new RegExp(` on ${BASES[Number(from)]}$`) })
    if ((await runner.count()) === 0) continue
    const to = advances.get(from) ?? from
    const end = retired === from ? 'Out' : (BASES[to === 'H' || event.startsWith('HR') ? 4 : Number(to)] ?? '')
    await runner.getByRole('button', { name: end, exact: true }).click()
  }
}

const POSITIONS: Record<string, string> = { '1': 'P', '11': 'Pinch-hitter', '12': 'Pinch-runner' }

async function enterSub(page: Page, parts: readonly string[], name: (id: string) => string) {
  const [entering = '', , side = '', order = '', position = ''] = parts
  await choose(page, 'Sub')
  await page.getByRole('group', { name: 'Team' }).getByRole('button').nth(Number(side)).click()
  await page.getByLabel('Place of').selectOption(order)
  await page.getByLabel('Comes in').selectOption({ label: name(entering) })
  await page.getByLabel('Position').selectOption(POSITIONS[position] ?? '')
  await choose(page, 'Save')
  await expect(page.getByLabel('Place of')).toHaveCount(0)
}
