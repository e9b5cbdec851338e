import { describe, expect, test } from 'vitest'
import type { Board, Level, Program, Target } from '@/data/college/model'
import { commitFields, findPrograms, fitOf, gradeOf, nextOf, percentileOf, reasons } from '@/features/college/model'
import { commitSchema } from '@/features/college/schemas'

test('a commitment is announced to a team by its name', () => {
  const team = 'f1d0a1de-2b64-4ce9-9d0f-8b3a1fd6f0a1'
  const options = commitFields([{ id: team, name: 'Owls' }]).find(({ name }) => name === 'audience')?.options
  expect(options?.[1]).toEqual([`team:${team}`, 'Team: Owls'])
  const day = { status: 'committed', committed_on: '2026-01-01' }
  expect(commitSchema.parse({ ...day, audience: `team:${team}` })).toEqual({ ...day, audience: 'team', team })
  expect(commitSchema.parse({ ...day, audience: 'public' })).toEqual({ ...day, audience: 'public' })
})

const quantiles = Array.from({ length: 19 }, (_, index) => 0.25 + 0.01 * index)
const level: Level = {
  role: 'hitter',
  stat: 'woba',
  first_rank: 51,
  last_rank: 150,
  n: 1048,
  per_team: 1.77,
  quantiles,
}
const board: Board = {
  playerId: 'p',
  name: 'Ann',
  writes: true,
  shared: false,
  whatIf: 0.3,
  pitcher: false,
  state: 'OR',
  gradYear: 2028,
}
const program: Program = {
  id: '1',
  name: 'Stanford',
  institution: 'Stanford University',
  state: 'CA',
  division: 1,
  conference: 'ACC',
  rpi_rank: 110,
  roster_size: 38,
  budget_percentile: 98,
}

test('percentiles lie between those that are known, and never beyond 1 and 99', () => {
  expect(percentileOf(0.25, quantiles)).toBe(5)
  expect(percentileOf(0.345, quantiles)).toBe(53)
  expect(percentileOf(0.43, quantiles)).toBe(95)
  expect(percentileOf(0.1, quantiles)).toBe(1)
  expect(percentileOf(0.9, quantiles)).toBe(99)
})

describe('the fit', () => {
  test.each([
    [0.28, 'Reach'],
    [0.34, 'Match'],
    [0.42, 'Likely'],
  ])('of %d is %s', (whatIf, band) => expect(fitOf({ ...board, whatIf }, program, [level])?.band).toBe(band))

  test('is not said without data, or without a level', () => {
    expect(fitOf(board, { ...program, division: 3, rpi_rank: null }, [level])).toBeNull()
    expect(fitOf({ ...board, whatIf: null }, program, [level])).toBeNull()
    expect(fitOf({ ...board, pitcher: true }, program, [level])).toBeNull()
    expect(fitOf(board, { ...program, rpi_rank: 20 }, [level])).toBeNull()
  })

  test('has reasons, which are facts', () => {
    expect(reasons(board, program, [level])).toEqual([
      'wOBA .300 would be the 30th percentile of 1048 freshmen at programs of rank 51–150.',
      'Such a program has 1.8 freshmen a season with 50 plate appearances or more, on average.',
      'Roster of 38.',
      'A larger budget than 98% of all programs.',
      'Out of your state.',
    ])
    const small = { ...program, division: 3, rpi_rank: null, roster_size: null, budget_percentile: null, state: null }
    expect(reasons(board, small, [level])).toEqual(['No numbers of players for this division.'])
  })
})

test('programs are found by name, conference and facts', () => {
  const other = {
    ...program,
    id: '2',
    name: 'Reed',
    institution: null,
    division: 3,
    state: 'OR',
    conference: 'NWC',
    rpi_rank: null,
  }
  const all = { text: '', division: '', state: '', rank: '' }
  const found = (filters: Partial<typeof all>) =>
    findPrograms([program, other], { ...all, ...filters }).map(({ id }) => id)
  expect(found({})).toEqual(['1', '2'])
  expect(found({ text: 'stanford acc' })).toEqual(['1'])
  expect(found({ text: 'stanford nwc' })).toEqual([])
  expect(found({ division: '3', state: 'OR' })).toEqual(['2'])
  expect(found({ rank: '51-150' })).toEqual(['1'])
  expect(found({ rank: '1-50' })).toEqual([])
})

test.each([
  [2028, '2026-11-23', 11],
  [2028, '2027-08-01', 12],
  [2028, '2028-05-01', 12],
  [2028, '2028-08-01', null],
  [2028, '2024-08-01', 9],
  [null, '2026-11-23', null],
])('the class of %s is in grade %3$s on %s', (gradYear, day, grade) => {
  expect(gradeOf(gradYear, new Date(`${day}T12:00:00`))).toBe(grade)
})

test('an answer to an offer comes first, and what is past is late', () => {
  const target = {
    status: 'contacted',
    next_step: 'Call',
    next_on: '2026-11-20',
    reply_by: null,
    visit_on: null,
  } as Target
  expect(nextOf(target, '2026-11-23')).toEqual({ text: 'Call', on: '2026-11-20', late: true })
  expect(nextOf({ ...target, status: 'offer', reply_by: '2026-12-01' }, '2026-11-23')?.text).toBe('Answer the offer')
  const visit = { ...target, next_step: null, visit_on: '2026-12-02', visit_kind: 'official' }
  expect(nextOf(visit, '2026-11-23')).toEqual({ text: 'Official visit', on: '2026-12-02', late: false })
  expect(nextOf({ ...visit, visit_on: '2026-11-01' }, '2026-11-23')).toBeNull()
})
