import { expect, test } from 'vitest'
import { countTicks, labelledPoints, lines } from '@/ui/chart-model'

test.each([
  [0, [0, 1, 2]],
  [1, [0, 1, 2]],
  [3, [0, 1, 2, 3]],
  [5, [0, 2, 4, 6]],
  [12, [0, 5, 10, 15]],
  [400, [0, 100, 200, 300, 400]],
  [401, [0, 200, 400, 600]],
])('an axis up to %i has whole numbers at its lines', (greatest, ticks) => {
  expect(countTicks(greatest)).toEqual(ticks)
})

test('a few points are named, evenly apart', () => {
  expect(labelledPoints(30, 4)).toEqual([0, 8, 16, 24])
  expect(labelledPoints(2, 4)).toEqual([0, 1])
  expect(labelledPoints(0, 4)).toEqual([])
})

// Issue 10, C7: charts of counts are not smoothed. A curve through counts shows days that never were.
test('a line goes straight from value to value', () => {
  expect(lines([0, 4, 2], 4)).toEqual(['16.666666666666668,100 50,0 83.33333333333333,50'])
})

test('a gap in the data is a gap in the line, and a lone value is a dot', () => {
  expect(lines([1, null, 2, 2], 2)).toEqual(['12.5,50 12.5,50', '62.5,0 87.5,0'])
  expect(lines([], 2)).toEqual([])
})
