import { expect, test } from 'vitest'
import { newGameSchema } from '@/features/games/schemas'

const plain = {
  opponent: 'Far Visitors',
  is_home: 'true',
  played_on: '2026-05-01',
  time: '',
  place: '',
  innings: '7',
  uses_dh: 'false',
  reentry: 'false',
  courtesy_runner: 'false',
  run_rule: '',
  extra_runner: '',
  time_limit: '',
  is_public: 'false',
}

test('the rules of a game are what the engine reads', () => {
  const rules = {
    reentry: 'true',
    courtesy_runner: 'true',
    run_rule: '15/3;10/5',
    extra_runner: '2',
    time_limit: '105',
  }
  expect(newGameSchema.parse({ ...plain, ...rules })).toMatchObject({
    reentry: true,
    courtesy_runner: true,
    run_rule: '15/3;10/5',
    extra_runner: 2,
    time_limit: 105,
  })
  expect(newGameSchema.parse(plain)).toMatchObject({ run_rule: null, extra_runner: null, time_limit: null })
})

test.each(['29', '301', 'two hours', '-60'])('a time limit of %s minutes is refused', (time_limit) => {
  expect(newGameSchema.safeParse({ ...plain, time_limit }).success).toBe(false)
})
