import { describe, expect, test } from 'vitest'
import {
  addressOf,
  filterWords,
  highlight,
  parseSearch,
  totalWords,
  withoutFilter,
  writeSearch,
} from '@/features/search/model'

describe('the address', () => {
  test.each([
    '',
    'q=raf',
    'kind=teams',
    'q=o%27neil&class=2027&class=2028&position=SS&state=OR&bats=L&throws=R&height=72&velocity=85&verified=1',
    'team=95ee009a-71ba-4263-8e40-fcbdb4c7b2b4',
  ])('%s is written as it is read', (text) => {
    expect(writeSearch(parseSearch(new URLSearchParams(text))).toString()).toBe(text)
  })

  test('what nobody can search by is left out', () => {
    const text = 'class=soon&state=Oregon&bats=X&height=tall&velocity=-3&verified=yes&team=1&kind=cats&position=%27'
    expect(parseSearch(new URLSearchParams(text))).toEqual({ query: '', kind: 'players', filters: {} })
  })
})

describe('filters', () => {
  const filters = { class: ['2027', '2028'], velocity: 85, verified: true as const, team: 'id' }

  test('are said in words', () => {
    expect(
      filterWords({ ...filters, bats: ['S'], height: 72, state: ['OR'] }, 'Pilots').map(({ label }) => label),
    ).toEqual([
      'Class of 2027',
      'Class of 2028',
      'Oregon',
      'Bats both',
      '6′ 0″ or taller',
      '85 mph or more',
      'Verified numbers',
      'Pilots',
    ])
  })

  test('are removed one value at a time', () => {
    expect(withoutFilter(filters, 'class', '2027').class).toEqual(['2028'])
    expect(withoutFilter({ class: ['2027'] }, 'class', '2027')).toEqual({})
    expect(withoutFilter(filters, 'velocity')).toEqual({ class: ['2027', '2028'], verified: true, team: 'id' })
  })
})

test.each([
  [0, '0 players'],
  [1, '1 player'],
  [1000, '1,000 players'],
  [1001, 'More than 1,000 players'],
])('%i found are %s', (total, words) => expect(totalWords(total)).toBe(words))

test('a team leads to its players, a person to the profile', () => {
  expect(addressOf({ kind: 'team', id: '7', name: 'x' })).toBe('/search?team=7')
  expect(addressOf({ kind: 'coach', id: '7', name: 'x' })).toBe('/player/7')
})

test.each([
  ['Rafael Dunn', 'raf', '[Raf]ael Dunn'],
  ['Rafael Dunn', 'dun raf', '[Raf]ael [Dun]n'],
  ['José Núñez', 'jose nun', '[José] [Núñ]ez'],
  ['Kai O’Neil', 'oneil', 'Kai [O’Neil]'],
  // Of a wrong letter on, nothing is marked.
  ['Rafael Dunn', 'rafeal', '[Raf]ael Dunn'],
  ['Rafael Dunn', 'rxfael', 'Rafael Dunn'],
  ['Rafael Dunn', '', 'Rafael Dunn'],
  // As long as the word is, and no longer.
  ['Rafe Holcomb', 'rafela', '[Rafe] Holcomb'],
])('%s for %s is %s', (name, typed, marked) => {
  const text = highlight(name, typed).map(({ text, hit }) => (hit ? `[${text}]` : text))
  expect(text.join('')).toBe(marked)
})
