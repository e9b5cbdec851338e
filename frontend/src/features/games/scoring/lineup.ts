import type { Athlete, Side } from '@/data/games/model'
import type { LineupEntry } from '@/data/games/scoring'
import { randomId } from '@/lib/random-id'

/** A row of the lineup form: a starter if it has a position. The order is that of the rows. */
export type Line = {
  athlete: string
  /** Null for a new guest. */
  known: Athlete | null
  jersey: string
  name: string
  /** 1 to 10; empty on the bench. */
  position: string
}

export const FIELD: readonly (readonly [position: string, name: string])[] = [
  ['', 'Bench'],
  ['1', 'P'],
  ['2', 'C'],
  ['3', '1B'],
  ['4', '2B'],
  ['5', '3B'],
  ['6', 'SS'],
  ['7', 'LF'],
  ['8', 'CF'],
  ['9', 'RF'],
  ['10', 'DH'],
]

export const positionName = (position: number | null) =>
  FIELD.find(([number]) => number === String(position ?? ''))?.[1] ?? ''

/** The lines of a side: what is saved, then who else is on the roster. */
export function linesOf(side: Side, saved: Iterable<Athlete>, roster: readonly Athlete[]): Line[] {
  const own = [...saved].filter((athlete) => athlete.side === side)
  own.sort((one, other) => (one.order ?? 99) - (other.order ?? 99))
  const known = new Set(own.map(({ id }) => id))
  return [...own, ...roster.filter(({ id }) => !known.has(id))].map((athlete) => ({
    athlete: athlete.id,
    known: athlete,
    jersey: athlete.jersey ?? '',
    name: athlete.full_name ?? '',
    position: athlete.position === null ? '' : String(athlete.position),
  }))
}

export const newGuest = (): Line => ({ athlete: randomId(), known: null, jersey: '', name: '', position: '' })

/** What is wrong with a side's lines; null if it can play. */
export function problemOfLines(lines: readonly Line[], usesDh: boolean): string | null {
  const starters = lines.filter(({ position }) => position !== '')
  const used = starters.map(({ position }) => position).filter((position) => position !== '10')
  const bad = lines.find(({ jersey }) => !/^\d{0,2}$/.test(jersey))
  const nameless = lines.find(({ known, name, jersey }) => !known && name.trim() === '' && jersey === '')
  if (bad) return 'A number has one or two digits.'
  if (nameless) return 'Give each new player a number or a name.'
  if (new Set(used).size < used.length) return 'Two players have one position.'
  if (!used.includes('1')) return 'Choose who pitches.'
  if (starters.length < (usesDh ? 10 : 8)) return `At least ${usesDh ? 'ten' : 'eight'} players start.`
  return null
}

/** The lines as the function takes them. With a designated hitter the pitcher has place 0. */
export function entriesOf(side: Side, lines: readonly Line[], usesDh: boolean): LineupEntry[] {
  let order = 0
  return lines.map(({ athlete, known, jersey, name, position }) => {
    const starts = position !== ''
    const bats = starts && !(usesDh && position === '1')
    if (bats) order += 1
    const entry: LineupEntry = {
      athlete,
      side,
      jersey: jersey || null,
      order: bats ? order : starts ? 0 : null,
      position: starts ? Number(position) : null,
    }
    // A guest's name; those of users are in their profiles.
    return known?.user_id ? entry : { ...entry, ...guestName(known, name, jersey) }
  })
}

function guestName(known: Athlete | null, name: string, jersey: string): { name?: string } {
  if (name.trim() !== '') return { name: name.trim() }
  return known ? {} : { name: `No. ${jersey}` }
}
