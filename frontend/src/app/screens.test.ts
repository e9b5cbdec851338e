import { describe, expect, test } from 'vitest'
import { MEMBERS_SCREENS, PUBLIC_SCREENS } from '@/app/built'
import { UNBUILT, UNBUILT_OUTSIDE_SHELL } from '@/app/screens'
import { COMING_SOON, COMPARISON, FEATURES } from '@/features/landing/model'
import { paths, type Path } from '@/lib/paths'

const unbuilt = new Set<Path>([...UNBUILT, UNBUILT_OUTSIDE_SHELL].map(({ path }) => path))
const built = new Set<Path>([...PUBLIC_SCREENS, ...MEMBERS_SCREENS].map(({ path }) => path))

test('a screen is either built or not', () => {
  const elsewhere: Path[] = [paths.home, paths.signIn, paths.oauthConsent]
  for (const path of Object.values(paths)) {
    expect([path, built.has(path), unbuilt.has(path), elsewhere.includes(path)].filter(Boolean)).toHaveLength(2)
  }
})

/** The screens that keep the landing page's promises. They are listed here to keep the page small. */
const KEPT_BY: Record<string, Path> = {
  'Statistics of every season': paths.player,
  'AI-powered predictive analytics': paths.predictiveAnalytics,
  'AI personal coach': paths.personalCoach,
  'Team schedule and roster': paths.teamCommunication,
  'Rankings and leaderboards': paths.rankings,
  'Profiles that coaches and scouts can read': paths.playerById,
  'Swing analysis with sharing': paths.swingAnalysis,
  'AI-Powered Predictive Analytics': paths.predictiveAnalytics,
  'AI Personal Coach': paths.personalCoach,
  'Team Communication': paths.teamCommunication,
  'Rankings and Leaderboards': paths.rankings,
  'Roster Management': paths.teamCommunication,
  'Schedule Management': paths.gameById,
  'College Recruiting': paths.collegeBound,
  'Live Stream': paths.liveStream,
  Marketplace: paths.marketplace,
  'Training Camps': paths.camps,
  'News Reel': paths.newsReel,
}

// Issue 10, C10.
describe('the landing page says "Coming soon" of all screens that are not built, and of no other', () => {
  test.each(FEATURES)('$title', ({ title, soon = false }) => {
    const path = KEPT_BY[title]
    expect(soon).toBe(path !== undefined && unbuilt.has(path))
  })

  test.each(COMPARISON.filter(({ promise }) => KEPT_BY[promise]))('$promise', ({ promise, ours }) => {
    const path = KEPT_BY[promise]
    expect(ours).toBe(path && unbuilt.has(path) ? COMING_SOON : true)
  })

  test('except for messages, which a built screen does not have yet', () => {
    const unbound = COMPARISON.filter(({ ours, promise }) => ours === COMING_SOON && !KEPT_BY[promise])
    expect(unbound.map(({ promise }) => promise)).toEqual(['Team messages by role'])
    expect(FEATURES.filter(({ text }) => /soon/.test(text)).map(({ title }) => title)).toEqual(['Team Communication'])
  })
})
