import { House, ListOrdered } from 'lucide-react'
import { describe, expect, test } from 'vitest'
import { recentSearches, rememberSearch } from '@/data/search/recent'
import { paletteEntries } from '@/features/search/palette-model'

const places = [
  { to: '/', label: 'Home', icon: House },
  { to: '/leaderboard', label: 'Leaderboard', icon: ListOrdered },
]
const dunn = { kind: 'player', id: '7', name: 'Rafael Dunn', detail: 'SS' } as const
const labels = (given: Partial<Parameters<typeof paletteEntries>[0]>) =>
  paletteEntries({ typed: '', suggestions: undefined, recent: [], places, ...given }).map(
    ({ group, label }) => `${group}: ${label}`,
  )

describe('what the palette offers', () => {
  test('before something is typed: recent searches and screens', () => {
    expect(labels({ recent: [dunn] })).toEqual(['Recent: Rafael Dunn', 'Go to: Home', 'Go to: Leaderboard'])
  })

  test('then who matches, all results, and screens of that name', () => {
    expect(labels({ typed: ' lea ', suggestions: [dunn], recent: [dunn] })).toEqual([
      'Players: Rafael Dunn',
      'Everything: All results for “lea”',
      'Go to: Leaderboard',
    ])
  })

  test('each kind has a group and leads to its own page', () => {
    const one = (kind: 'team' | 'program' | 'game' | 'article') => ({ kind, id: '7', name: 'San José', detail: '' })
    const entries = paletteEntries({
      typed: 'san',
      suggestions: [one('team'), one('program'), one('game'), one('article')],
      recent: [],
      places,
    })
    expect(entries.map(({ group, to }) => [group, to])).toEqual([
      ['Teams', '/search?team=7'],
      ['Programs', '/college-bound?tab=programs&q=San+Jos%C3%A9'],
      ['Games', '/games/7'],
      ['Articles', '/news-reel/7'],
      ['Everything', '/search?q=san'],
    ])
  })

  test('where nobody matches, no way to nowhere', () => {
    expect(labels({ typed: 'qx', suggestions: [] })).toEqual([])
  })
})

describe('recent searches', () => {
  test('are the latest six, each once, and each user’s own', () => {
    for (const id of ['1', '2', '3', '4', '5', '6', '7', '2']) rememberSearch('me', { kind: 'team', id, name: id })
    expect(recentSearches('me').map(({ id }) => id)).toEqual(['2', '7', '6', '5', '4', '3'])
    expect(recentSearches('you')).toEqual([])
  })

  test.each(['{', '{"id": "1"}', '[{"kind": "spy", "id": "1", "name": "x"}, null]'])('%s is none', (kept) => {
    localStorage.setItem('recent-searches:me', kept)
    expect(recentSearches('me')).toEqual([])
  })
})
