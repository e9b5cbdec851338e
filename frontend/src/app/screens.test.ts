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

// Issue 10, C10.
describe('the landing page says "Coming soon" of all screens that are not built, and of no other', () => {
  test.each(FEATURES)('$title', ({ path, soon = false }) => {
    expect(soon).toBe(path !== undefined && unbuilt.has(path))
  })

  test.each(COMPARISON.filter(({ path }) => path))('$promise', ({ path, ours }) => {
    expect(ours).toBe(path && unbuilt.has(path) ? COMING_SOON : true)
  })

  test('except for messages, which a built screen does not have yet', () => {
    const unbound = COMPARISON.filter(({ ours, path }) => ours === COMING_SOON && !path)
    expect(unbound.map(({ promise }) => promise)).toEqual(['Team messages by role'])
    expect(FEATURES.filter(({ text }) => /soon/.test(text)).map(({ title }) => title)).toEqual(['Team Communication'])
  })
})
