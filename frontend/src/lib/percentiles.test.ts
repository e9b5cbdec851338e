import { expect, test } from 'vitest'
import { comparedWith } from '@/lib/percentiles'

test.each([
  [{ class: 2027, position: 'IF', same_age: false, n: 24 }, 'vs infielders of the class of 2027, n = 24'],
  [{ class: null, position: 'IF', same_age: false, n: 40 }, 'vs all infielders, n = 40'],
  [{ class: null, position: null, same_age: false, n: 4 }, 'vs all players, n = 4'],
  [{ class: null, position: 'P', same_age: true, n: 21 }, 'vs pitchers of the same age, n = 21'],
  [{ class: 2031, position: 'C', same_age: true, n: 20 }, 'vs catchers of the class of 2031 of the same age, n = 20'],
  [{ class: null, position: 'XX', same_age: true, n: 1 }, 'vs players of the same age, n = 1'],
])('%j is said as it is', (circle, text) => {
  expect(comparedWith(circle)).toBe(text)
})
