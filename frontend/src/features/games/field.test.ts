import { expect, it } from 'vitest'
import { ballOf, nearestFielder, spotOf, zoneOf, ZONES } from '@/features/games/field'

it('finds the zone of a spot, and its middle', () => {
  expect(zoneOf({ x: 0, y: 330 })).toBe('8D')
  expect(zoneOf({ x: -120, y: 250 })).toBe('7')
  expect(zoneOf({ x: 20, y: 120 })).toBe('4')
  expect(zoneOf({ x: 5, y: 50 })).toBe('1')
  expect(zoneOf({ x: 0, y: -30 })).toBe('2F')
  expect(zoneOf({ x: 0, y: 900 })).toBe('8XD')
  expect(zoneOf({ x: -200, y: 100 })).toBe('7LF')
  for (const zone of ZONES) {
    const spot = spotOf(zone)
    expect(spot && zoneOf(spot)).toBe(zone)
  }
  expect(spotOf('99')).toBeNull()
})

it('knows who stands nearest', () => {
  expect(nearestFielder({ x: 10, y: 300 })).toBe(8)
  expect(nearestFielder({ x: -50, y: 130 })).toBe(6)
  expect(nearestFielder({ x: 0, y: 5 })).toBe(2)
})

it('reads the ball of an event', () => {
  expect(ballOf('D8/L78D.1-H')).toEqual({ trajectory: 'L', zone: '78D' })
  expect(ballOf('63/G6S')).toEqual({ trajectory: 'G', zone: '6S' })
  expect(ballOf('13/SH/BG15')).toEqual({ trajectory: 'G', zone: '15' })
  expect(ballOf('HR/F')).toBeNull()
  expect(ballOf('64(1)3/GDP/G6')).toEqual({ trajectory: 'G', zone: '6' })
  expect(ballOf('W.1-2')).toBeNull()
})
