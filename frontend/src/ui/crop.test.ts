import { expect, test } from 'vitest'
import { centred, MAX_ZOOM, minZoom, moved, square, within } from '@/ui/crop'

const WIDE = { width: 400, height: 200 }

test('a crop begins with the largest square in the middle', () => {
  expect(square(WIDE, centred())).toEqual({ left: 100, top: 0, side: 200 })
})

test('a crop never leaves the picture', () => {
  expect(square(WIDE, moved(WIDE, centred(), 10, 10, false))).toEqual({ left: 0, top: 0, side: 200 })
  expect(square(WIDE, moved(WIDE, centred(), -10, -10, false))).toEqual({ left: 200, top: 0, side: 200 })
  const close = moved(WIDE, centred(2), -10, -10, false)
  expect(square(WIDE, close)).toEqual({ left: 300, top: 100, side: 100 })
  // Zooming out at the edge moves the square back.
  expect(square(WIDE, within(WIDE, { ...close, zoom: 1 }, false))).toEqual({ left: 200, top: 0, side: 200 })
})

test('dragging follows the pointer', () => {
  const crop = moved(WIDE, centred(2), 0.5, -0.25, false)
  expect(square(WIDE, crop)).toEqual({ left: 100, top: 75, side: 100 })
})

test('the zoom has limits', () => {
  expect(within(WIDE, centred(100), false).zoom).toBe(MAX_ZOOM)
  expect(within(WIDE, centred(0.1), false).zoom).toBe(1)
})

test('with margins the whole picture fits, and stays in the middle', () => {
  expect(minZoom(WIDE, true)).toBe(0.5)
  const whole = within(WIDE, { x: 0, y: 0, zoom: 0 }, true)
  expect(square(WIDE, whole)).toEqual({ left: 0, top: -100, side: 400 })
})
