import { expect, test } from 'vitest'
import { ordinal } from '@/lib/ordinal'
import { badges, isRate, timeSpan } from '@/features/players/model'
import { coachMeasurementSchema } from '@/features/players/schemas'
import { newBattingLine, newPitchingLine } from '@/features/players/season-lines'
import { battingSchema, outsOf, pitchingSchema } from '@/features/players/season-schemas'

const coach = { years_coaching: 0, years_current_league: 0, years_current_team: 0, certifications: [] }

test.each([
  [coach, []],
  [{ ...coach, years_coaching: 10 }, ['10 years of coaching']],
  [{ ...coach, years_coaching: 20, years_current_team: 5 }, ['20 years of coaching', '5 years with one team']],
  [{ ...coach, years_current_league: 4, certifications: ['CPR'] }, ['Certified']],
])('%j has the badges %j', (coach, names) => {
  expect(badges(coach)).toEqual(names)
})

test.each([
  [0, 0, 'Less than a month'],
  [1, 0, '1 year'],
  [2, 1, '2 years, 1 month'],
  [0, 11, '11 months'],
])('%d years and %d months are %s', (years, months, text) => {
  expect(timeSpan(years, months)).toBe(text)
})

test('places are written as ordinals, rates are told from other numbers', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 93].map(ordinal)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '93rd',
  ])
  expect(['ops', 'era'].map(isRate)).toEqual([true, false])
})

test('a measurement is within what is possible for its kind', () => {
  const schema = coachMeasurementSchema([{ kind: 'pop_time', label: 'Pop time', unit: 's', minimum: 1.6, maximum: 5 }])
  const given = { kind: 'pop_time', value: '2.07', taken_at: '2026-06-01', event: ' ' }
  expect(schema.parse(given)).toEqual({ kind: 'pop_time', value: 2.07, taken_at: '2026-06-01', event: null })
  expect(schema.safeParse({ ...given, value: '9' }).error?.issues[0]).toMatchObject({
    path: ['value'],
    message: 'Pop time is between 1.6 and 5 s.',
  })
})

test.each([
  ['0', 0],
  ['5.2', 17],
  ['45.1', 136],
])('%s innings are %d outs', (innings, outs) => {
  expect(outsOf(innings)).toBe(outs)
  expect(pitchingSchema.parse({ ...newPitchingLine(), innings })).toMatchObject({ outs })
})

test('what cannot have been is said at its field', () => {
  const wrong = (issues: readonly { path: readonly PropertyKey[] }[] | undefined) => issues?.map(({ path }) => path[0])
  expect(wrong(pitchingSchema.safeParse({ ...newPitchingLine(), innings: '5.3' }).error?.issues)).toEqual(['innings'])
  expect(wrong(pitchingSchema.safeParse({ ...newPitchingLine(), er: '3', w: '1' }).error?.issues)).toEqual(['w', 'er'])
  expect(wrong(battingSchema.safeParse({ ...newBattingLine(), h: '2', pa: '2' }).error?.issues)).toEqual(['ab'])
})
