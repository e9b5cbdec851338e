import { expect, it } from 'vitest'
import type { GameRecord } from '@/data/games/model'
import { spray, thirdOf, thirds } from '@/features/games/spray'

const play = (id: string, event: string, result: string | null): GameRecord =>
  ({
    id,
    record: `play,1,0,v1,??,,${event}`,
    outcome: { batting: 0, batter: 'v1', turn: result && { result } },
  }) as unknown as GameRecord

it('has the balls whose zone is known, apart from each other', () => {
  const balls = spray([
    play('1', 'S8/L78', 'single'),
    play('2', '8/F78', 'out'),
    play('3', 'FC6/G6', 'fielders_choice'),
    play('4', 'S7/L', 'single'),
    play('5', 'K', 'strikeout'),
    play('6', 'WP.1-2', null),
  ])
  expect(balls.map(({ id, kind }) => [id, kind])).toEqual([
    ['1', 'single'],
    ['2', 'out'],
    ['3', 'out'],
  ])
  const [one, other] = balls
  expect(one?.spot).not.toEqual(other?.spot)
  expect(Math.hypot((one?.spot.x ?? 0) - (other?.spot.x ?? 0), (one?.spot.y ?? 0) - (other?.spot.y ?? 0))).toBeCloseTo(
    14,
  )
})

it('divides the field in thirds, and gives shares only with enough balls', () => {
  expect([thirdOf({ x: -200, y: 210 }), thirdOf({ x: 10, y: 300 }), thirdOf({ x: 100, y: 110 })]).toEqual([0, 1, 2])
  const balls = Array.from({ length: 20 }, (_, index) => ({ spot: { x: index < 15 ? -100 : 100, y: 100 } }))
  expect(thirds(balls)).toEqual([0.75, 0, 0.25])
  expect(thirds(balls.slice(1))).toBeNull()
})
