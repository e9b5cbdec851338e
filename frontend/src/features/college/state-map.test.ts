import { expect, test } from 'vitest'
import { US_STATES } from '@/lib/us-states'
import { countByState, shadeOf, tileBeside, TILES } from '@/features/college/state-map'

test('every state has one tile, and no two tiles share a place', () => {
  expect(TILES.map(({ code }) => code).sort()).toEqual(US_STATES.map(([code]) => code).sort())
  expect(new Set(TILES.map(({ row, column }) => `${row} ${column}`)).size).toBe(TILES.length)
})

const tile = (code: string) => TILES.find((one) => one.code === code)

test.each([
  ['CA', 'ArrowUp', 'OR'],
  ['CA', 'ArrowRight', 'UT'],
  ['CA', 'ArrowDown', 'HI'],
  ['TX', 'ArrowRight', 'LA'],
  ['ME', 'ArrowLeft', 'VT'],
  ['FL', 'ArrowDown', undefined],
  ['KS', 'Enter', undefined],
])('from %s, %s leads to %s', (from, key, to) => {
  const start = tile(from)
  expect(start && tileBeside(start, key)?.code).toBe(to)
})

test('the arrows reach every tile', () => {
  const reached = new Set(['CA'])
  for (const code of reached) {
    const from = tile(code)
    for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) {
      const next = from && tileBeside(from, key)
      if (next) reached.add(next.code)
    }
  }
  expect(reached.size).toBe(TILES.length)
})

test('programs are counted by state, and shaded by amount', () => {
  expect([...countByState([{ state: 'CA' }, { state: 'CA' }, { state: null }])]).toEqual([['CA', 2]])
  expect([0, 1, 20, 40, 80].map((amount) => shadeOf(amount, 80))).toEqual([0, 1, 2, 3, 4])
})
