import { describe, expect, test } from 'vitest'
import { deviceType, sessionStep } from '@/data/activity/model'

const latest = { id: 's1', session_start: '2026-05-01T12:00:00Z', last_activity: '2026-05-01T12:10:00Z' }

// Specification section 4, "Sessions", and section 9: 30 minutes.
describe('a page view', () => {
  test('without a session starts one', () => {
    expect(sessionStep(null, new Date('2026-05-01T12:00:00Z'))).toEqual({ kind: 'start' })
  })

  test('at exactly 30 minutes of silence continues the session', () => {
    expect(sessionStep(latest, new Date('2026-05-01T12:40:00Z'))).toEqual({
      kind: 'continue',
      id: 's1',
      last_activity: '2026-05-01T12:40:00.000Z',
      session_duration: 2400,
    })
  })

  test('after more than 30 minutes starts a new one', () => {
    expect(sessionStep(latest, new Date('2026-05-01T12:40:00.001Z'))).toEqual({ kind: 'start' })
  })

  test('by a clock that went back has no negative duration', () => {
    expect(sessionStep(latest, new Date('2026-05-01T11:00:00Z'))).toMatchObject({ session_duration: 0 })
  })
})

test.each([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
    5,
    'Mobile',
  ],
  ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36', 5, 'Mobile'],
  ['Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36', 5, 'Tablet'],
  ['Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1', 5, 'Tablet'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15', 5, 'Tablet'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15', 0, 'Desktop'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36', 0, 'Desktop'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0', 10, 'Desktop'],
  ['', 0, 'Desktop'],
] as const)('%s with %i touch points is a %s', (userAgent, touchPoints, type) => {
  expect(deviceType(userAgent, touchPoints)).toBe(type)
})
