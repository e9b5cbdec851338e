import { expect, it } from 'vitest'
import type { Athlete } from '@/data/games/model'
import { benchLabel, benchOf, courtesyPlace } from '@/features/games/scoring/bench'

const athlete = (full_name: string, order: number | null): [string, Athlete] => [
  full_name,
  { id: full_name, side: 0, jersey: null, initial: '', full_name, user_id: null, order, position: order },
]
const athletes = new Map([athlete('Ann', 1), athlete('Bo', 2), athlete('Cy', null), athlete('Di', null)])
const sub = { id: '1', record: 'sub,Cy,"",0,2,12', outcome: null }
const slots = [
  new Map([
    [1, { athlete: 'Ann', position: 1 }],
    [2, { athlete: 'Cy', position: 12 }],
  ]),
  new Map(),
] as const

it('labels who has played, and whether they may return', () => {
  const labels = (reentry: boolean) =>
    benchOf({ athletes, reentry, courtesy_runner: false }, [sub], { slots }, 0).map(benchLabel)
  expect(labels(true)).toEqual(['Di', 'Bo (played, may return in place 2)'])
  expect(labels(false)).toEqual(['Di', 'Bo (has left the game)'])
})

it('knows the place of the pitcher or catcher on base', () => {
  expect(courtesyPlace({ slots, bases: ['Cy', 'Ann', null], batting: 0 })).toBe(1)
  expect(courtesyPlace({ slots, bases: ['Cy', null, null], batting: 0 })).toBeNull()
})
