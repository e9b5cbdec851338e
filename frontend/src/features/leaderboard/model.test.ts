import { describe, expect, test } from 'vitest'
import { groupWords, parseView, shareOf, writeView } from '@/features/leaderboard/model'
import { measuredStat, tabOf, tryWords } from '@/features/leaderboard/stats'

describe('the address', () => {
  test.each([
    '',
    'stat=ops&season=2025&class=2027&position=IF&state=OR&evidence=all&min=60',
    'stat=ops&age=16u',
    'stat=sixty_yard_dash&age=open',
    'stat=era&min=0',
  ])('%s is written as it is read', (text) => {
    expect(writeView(parseView(new URLSearchParams(text))).toString()).toBe(text)
  })

  test('what cannot be asked for is left out', () => {
    const text = 'stat=%27;&season=soon&class=7&position=XX&state=Oregon&age=12u&evidence=some&min=-1'
    expect(writeView(parseView(new URLSearchParams(text))).toString()).toBe('')
  })

  test('measurements have neither season nor minimum', () => {
    expect(writeView(parseView(new URLSearchParams('stat=bat_speed&season=2025&min=5'))).toString()).toBe(
      'stat=bat_speed',
    )
  })
})

test('only this season has age groups', () => {
  const thisYear = new Date().getUTCFullYear()
  const age = (text: string) => parseView(new URLSearchParams(text)).filters.age
  expect(age(`stat=ops&season=${thisYear}&age=16u`)).toBe('16u')
  expect(age(`stat=ops&season=${thisYear - 1}&age=16u`)).toBe('')
  const view = parseView(new URLSearchParams('stat=ops&age=16u'))
  expect(writeView({ ...view, season: thisYear - 1 }).toString()).toBe(`stat=ops&season=${thisYear - 1}`)
})

test('the group is said in words', () => {
  const nobody = { class: '', position: '', state: '', age: '' }
  expect(groupWords(nobody, String)).toBe('All players')
  expect(groupWords({ class: '2027', position: 'IF', state: 'OR', age: '16u' }, () => 'Oregon')).toBe(
    'Infielders · Class of 2027 · 16U · Oregon',
  )
})

test('statistics know their tab and their tries', () => {
  expect([tabOf('ops'), tabOf('era'), tabOf('pop_time')]).toEqual(['batting', 'pitching', 'measured'])
  expect([tryWords(69, 'batting'), tryWords(154, 'pitching')]).toEqual(['69 PA', '51.1 IP'])
})

test('a measurement is written with its decimals', () => {
  const stat = measuredStat({ kind: 'pop_time', label: 'Pop time', unit: 's', decimals: 2, lower_is_better: true })
  expect(stat.format(2.1)).toBe('2.10')
  expect(stat.definition).toContain('Lower is better.')
})

test.each([
  [10, 0],
  [15, 50],
  [20, 100],
  [30, 100],
])('%i of 10 to 20 lies at %i percent', (value, share) => {
  expect(shareOf(value, { least: 10, width: 1, counts: Array(10).fill(0) })).toBe(share)
})
