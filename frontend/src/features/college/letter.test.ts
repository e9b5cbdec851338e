import { describe, expect, test } from 'vitest'
import type { Board, LetterFacts, Program, Target } from '@/data/college/model'
import { fillIn, MERGE_FIELDS, mergeValues, plainText, STARTERS } from '@/features/college/letter'

const board: Board = {
  playerId: 'p1',
  name: 'Ann Lee',
  writes: true,
  shared: false,
  whatIf: null,
  pitcher: false,
  state: 'CA',
  gradYear: 2028,
}
const program = { name: 'Stanford', institution: 'Stanford University' } as Program
const target = { college_contacts: [{ person: null }, { person: 'Coach Lee' }] } as Target
const facts: LetterFacts = {
  positions: ['SS', '2B'],
  bats: 'L',
  throws: 'R',
  height_in: 70,
  weight_lb: null,
  hometown: null,
  school: 'Central High',
  numbers: [{ label: '60-yard dash', value: 6.9, decimals: 2, unit: 's' }],
}
const values = mergeValues(board, target, program, facts, 'https://dugout.test')

describe('a letter', () => {
  test('is filled with the known values', () => {
    expect(
      plainText(fillIn('Dear {coach}, {name} ({bats_throws}, {size}) to {school}: {numbers} {profile}', values)),
    ).toBe(
      'Dear Coach Lee, Ann Lee (L/R, 5′ 10″) to Stanford University: 60-yard dash: 6.90 s https://dugout.test/player/p1',
    )
  })
  test('keeps and marks fields without a value, and unknown fields', () => {
    expect(fillIn('From {town}, {gpa} {', values)).toEqual([
      { text: 'From ', missing: false },
      { text: '{town}', missing: true },
      { text: ', ', missing: false },
      { text: '{gpa}', missing: true },
      { text: ' {', missing: false },
    ])
  })
  test('does not fill fields inside a value', () => {
    expect(plainText(fillIn('{coach}', { ...values, coach: '{name}' }))).toBe('{name}')
  })
  test('from the app uses existing fields only', () => {
    for (const { body } of STARTERS) {
      for (const [, name] of body.matchAll(/\{(\w+)\}/g)) expect(Object.keys(MERGE_FIELDS)).toContain(name)
    }
  })
})
