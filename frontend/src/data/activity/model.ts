/** Section 9: a session ends after this many milliseconds without a page view. */
export const INACTIVITY_LIMIT = 30 * 60 * 1000

export type DeviceType = 'Mobile' | 'Tablet' | 'Desktop'

export type LatestSession = { id: string; session_start: string; last_activity: string }

export type SessionStep =
  { kind: 'start' } | { kind: 'continue'; id: string; last_activity: string; session_duration: number }

/**
 * Section 4, "Sessions": what a page view at `now` does to the user's latest session.
 * More than 30 minutes of silence start a new one; otherwise it lives on, its duration in whole seconds.
 */
export function sessionStep(latest: LatestSession | null, now: Date): SessionStep {
  if (!latest || now.getTime() - Date.parse(latest.last_activity) > INACTIVITY_LIMIT) return { kind: 'start' }
  const seconds = Math.round((now.getTime() - Date.parse(latest.session_start)) / 1000)
  return { kind: 'continue', id: latest.id, last_activity: now.toISOString(), session_duration: Math.max(0, seconds) }
}

/** Section 3's three device types, from the browser's own description of itself. */
export function deviceType(userAgent: string, touchPoints = 0): DeviceType {
  // An iPad calls itself a Macintosh, but no Mac has a touch screen. Android without "Mobile" is a tablet.
  if (/iPad|Tablet|PlayBook|Silk(?!.*Mobile)/i.test(userAgent)) return 'Tablet'
  if (/Macintosh/.test(userAgent) && touchPoints > 1) return 'Tablet'
  if (/Android/i.test(userAgent) && !/Mobile/i.test(userAgent)) return 'Tablet'
  if (/Mobi|iPhone|iPod|Windows Phone/i.test(userAgent)) return 'Mobile'
  return 'Desktop'
}
