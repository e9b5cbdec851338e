import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { choose } from './scoring.ts'

/** A play of an event file, as it is entered: `pitches` are those since the play before it in the same turn at bat. */
export type ArchivePlay = { kind: 'play'; inning: number; side: number; pitches: string; event: string }
export type ArchiveSub = { kind: 'sub'; player: string; side: number; order: number; position: number }
export type Starter = { player: string; name: string; side: number; order: number; position: number }
export type Archive = { lines: string[]; starters: Starter[]; subs: Starter[]; records: (ArchivePlay | ArchiveSub)[] }

/** Reads a game of e2e/games. Lines with # are remarks. */
export function archive(name: string): Archive {
  const text = readFileSync(resolve(import.meta.dirname, 'games', `${name}.txt`), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const fields = lines.map((line) => line.split(','))
  const person = ([, player = '', name = '', side, order, position]: string[]): Starter => ({
    player,
    name: name.replaceAll('"', ''),
    side: Number(side),
    order: Number(order),
    position: Number(position),
  })
  const of = (kind: string) => fields.filter(([first]) => first === kind)
  const records = fields.flatMap((one): (ArchivePlay | ArchiveSub)[] => {
    const [kind, inning, side, , , pitches = '', event = ''] = one
    if (kind === 'sub') return [{ kind, ...person(one) }]
    if (kind !== 'play' || event === 'NP') return []
    return [{ kind, inning: Number(inning), side: Number(side), pitches: pitches.split('.').at(-1) ?? '', event }]
  })
  return { lines, starters: of('start').map(person), subs: of('sub').map(person), records }
}

const POSITIONS = ['', '1 P', '2 C', '3 1B', '4 2B', '5 3B', '6 SS', '7 LF', '8 CF', '9 RF']
const BASES = ['', '1st', '2nd', '3rd', 'Home']
const base = (letter: string) => (letter === 'H' ? 4 : Number(letter))

/** How a play is entered: its button, the fielders, and the bases of the runners who move. */
type Steps = { button: string; under?: string; fielders: string; ends: Map<number, number | 'out'>; besides?: string }

/** How an event is entered. `on` has the occupied bases. */
export function stepsOf(event: string, on: ReadonlySet<number>): Steps {
  const [main = '', advances = ''] = event.split('.')
  const [basic = '', ...modifiers] = main.split('/')
  const ends = new Map<number, number | 'out'>()
  const [first = '', also] = basic.split('+')
  const steps: Steps = { ends, ...entry(first, modifiers) }
  const running = [also, ...first.split(';')].filter((one): one is string => /^(SB|CS|PO)/.test(one ?? ''))
  for (const one of running) {
    const to = base(one[2] ?? '')
    ends.set(one.startsWith('PO') ? to : to - 1, one.startsWith('SB') ? to : 'out')
  }
  if (also?.startsWith('SB')) steps.besides = 'Steal'
  const forced = /\((\d)\)/.exec(basic)
  if (forced && !running.length) ends.set(Number(forced[1]), 'out')
  if (first === 'HR') for (const from of on) ends.set(from, 4)
  if (/^(W|IW|HP)$/.test(first)) {
    for (const from of [1, 2, 3]) {
      if ([1, 2, 3].slice(0, from).every((one) => on.has(one))) ends.set(from, from + 1)
    }
  }
  for (const [, from = '', to = ''] of advances.matchAll(/([B123])-([123H])/g)) {
    ends.set(from === 'B' ? 0 : Number(from), base(to))
  }
  return steps
}

const HITS: Readonly<Record<string, string>> = { S: '1B', D: '2B', T: '3B' }
const OUTS: Readonly<Record<string, string>> = { G: 'Ground out', F: 'Fly out', L: 'Line out', P: 'Pop out' }
const PLAIN: Readonly<Record<string, Pick<Steps, 'button' | 'under'>>> = {
  W: { button: 'Walk' },
  IW: { button: 'Intentional walk', under: 'More for the batter' },
  HP: { button: 'Hit by pitch' },
  K: { button: 'K swinging' },
  HR: { button: 'HR' },
  WP: { button: 'Wild pitch', under: 'Runners' },
  PB: { button: 'Passed ball', under: 'Runners' },
}

/** The button of an event, and the fielders. */
function entry(basic: string, modifiers: readonly string[]): Pick<Steps, 'button' | 'under' | 'fielders'> {
  const fielders = basic.replace(/\(\d\)/g, '').replace(/\D/g, '')
  const hit = HITS[basic[0] ?? '']
  if (PLAIN[basic]) return { ...PLAIN[basic], fielders: '' }
  if (/^K\d/.test(basic)) return { button: 'Strike 3, thrown out', under: 'More for the batter', fielders }
  if (basic.startsWith('SB')) return { button: 'Steal', under: 'Runners', fielders: '' }
  if (basic.startsWith('CS')) return { button: 'Caught stealing', under: 'Runners', fielders: fielders.slice(1) }
  if (basic.startsWith('PO')) return { button: 'Picked off', under: 'Runners', fielders: between(basic) }
  if (hit && /^[SDT]\d$/.test(basic)) return { button: hit, fielders }
  if (modifiers.includes('FO')) return { button: 'Force out', fielders }
  if (modifiers.includes('GDP')) return { button: 'Double play', fielders }
  const button = OUTS[modifiers[0]?.[0] ?? '']
  if (!button || !/^\d+$/.test(basic)) throw new Error(`The driver does not know ${basic}/${modifiers.join('/')}.`)
  return { button, fielders }
}

const between = (basic: string) => /\((\d+)\)/.exec(basic)?.[1] ?? ''

/** The pad's button for each of Retrosheet's letters. The page has one button for several kinds of strikes. */
const PAD: Readonly<Record<string, string>> = {
  B: 'Ball',
  C: 'Called strike',
  S: 'Swinging strike',
  M: 'Swinging strike',
  T: 'Swinging strike',
  F: 'Foul',
}

/** Who is on base, as the page says. */
async function occupied(page: Page): Promise<Set<number>> {
  const label = (await page.getByRole('img', { name: /^(Bases empty|Runners on)/ }).getAttribute('aria-label')) ?? ''
  return new Set(['first', 'second', 'third'].flatMap((name, index) => (label.includes(name) ? [index + 1] : [])))
}

/** Enters one play: its pitches unless told otherwise, what happened, who fielded, and where everybody ends. */
export async function enterPlay(page: Page, { pitches, event }: ArchivePlay, pad = true) {
  // Waits until the previous play is stored, and the next tap cannot count as a double tap.
  await page.getByRole('button', { name: 'Ball', exact: true }).click({ trial: true })
  const on = await occupied(page)
  const steps = stepsOf(event, on)
  // The third strike and the fourth ball are the play itself, unless it has a button of its own.
  const ends = pad && /^(K|W)($|[+/.])/.test(event)
  const thrown = Array.from(/^K\d/.test(event) ? pitches.slice(0, -1) : pitches).filter((letter) => PAD[letter])
  if (pad) for (const letter of thrown) await choose(page, PAD[letter] ?? '')
  if (!ends) {
    if (steps.under) await page.locator('summary', { hasText: steps.under }).click()
    await choose(page, event.startsWith('K') && pitches.endsWith('C') ? 'K looking' : steps.button)
  }
  // Plays that need no confirmation are saved at once.
  const confirm = on.size > 0 || !/^(K($|[+/.])|W|HP|IW)/.test(event)
  if (!confirm) return
  await enterFielders(page, steps)
  for (const from of on) {
    if (steps.button === 'HR') continue
    const end = steps.ends.get(from) ?? from
    const runner = page.getByRole('group', { name: new RegExp(`on ${BASES[from]}$`) })
    await runner.getByRole('button', { name: end === 'out' ? 'Out' : BASES[end], exact: true }).click()
  }
  if (steps.besides) await choose(page, steps.besides)
  await choose(page, 'Save play')
}

async function enterFielders(page: Page, { fielders }: Steps) {
  if (fielders === '') return
  const clear = page.getByRole('button', { name: 'Clear fielders' })
  if (await clear.isVisible()) await clear.click()
  for (const one of fielders) await choose(page, POSITIONS[Number(one)] ?? '')
}

/** Enters a substitution. `ids` are the athletes of the archive's players. */
export async function enterSub(page: Page, sub: ArchiveSub, ids: ReadonlyMap<string, string>, team: string) {
  await choose(page, 'Sub')
  await page.getByRole('group', { name: 'Team' }).getByRole('button', { name: team }).click()
  await page.getByLabel('Place of').selectOption(String(sub.order))
  await page.getByLabel('Comes in').selectOption(ids.get(sub.player) ?? '')
  await page.getByLabel('Position').selectOption(String(sub.position))
  await choose(page, 'Save')
}
