import { expect, test } from 'vitest'
import { withNewPost, withPost } from '@/data/timeline/pages'
import type { Post, PostingRights } from '@/data/timeline/model'
import { ago, audienceOf, audiences, milestoneWords, parseScope, stateWords } from '@/features/timeline/model'

const RIGHTS: PostingRights = {
  age_known: true,
  under_13: false,
  is_public: true,
  files: true,
  teams: [{ id: 't1', name: 'Owls' }],
}

test.each([
  ['an adult', RIGHTS, ['public', 'followers', 'team:t1', 'self']],
  ['a private profile', { ...RIGHTS, is_public: false }, ['followers', 'team:t1', 'self']],
  ['a child', { ...RIGHTS, under_13: true, is_public: false, files: false }, ['team:t1', 'self']],
])('the audiences of %s', (_who, rights, choices) => {
  expect(audiences(rights).map(([choice]) => choice)).toEqual(choices)
})

test('a minor is told that the guardian reads along', () => {
  expect(audiences({ ...RIGHTS, files: false }).at(-1)).toEqual(['self', 'Only me and my guardian'])
})

test('a minor is told that anyone may follow', () => {
  expect(audiences({ ...RIGHTS, files: false })).toContainEqual(['followers', 'Anyone who follows you'])
  expect(audiences(RIGHTS)).toContainEqual(['followers', 'Followers'])
})

test.each([
  ['team:t1', { visibility: 'team', team_id: 't1' }],
  ['public', { visibility: 'public', team_id: null }],
  ['nonsense', { visibility: 'self', team_id: null }],
])('the audience %s', (choice, columns) => {
  expect(audienceOf(choice)).toEqual(columns)
})

test.each([
  [20_000, 'now'],
  [5 * 60_000, '5 min'],
  [3 * 3_600_000, '3 h'],
  [2 * 86_400_000, '2 d'],
  [8 * 86_400_000, 'May 2'],
])('%i milliseconds ago', (passed, words) => {
  const now = new Date('2026-05-10T12:00:00Z')
  expect(ago(new Date(now.getTime() - passed).toISOString(), now)).toBe(words)
})

test('milestones in words', () => {
  expect(milestoneWords({ milestone: 'hits', amount: 4 })).toBe('had 4 hits')
  expect(milestoneWords({ milestone: 'first_win', amount: null })).toBe('pitched a first win')
})

test('an unknown list is the first one', () => {
  expect(parseScope('nonsense')).toBe('all')
  expect(parseScope('team')).toBe('team')
})

test('the author of a removed post reads why', () => {
  expect(stateWords({ state: 'removed', removal_reason: 'Insults.' })).toBe('Removed by an admin. Insults.')
  expect(stateWords({ state: 'shown', removal_reason: null })).toBe('')
})

const post = (id: string, created_at: string) => ({ id, created_at, likes: 0 }) as Post
const pages = (...lists: Post[][]) => ({ pages: lists, pageParams: [] })
const ids = (data: { pages: Post[][] }) => data.pages.map((page) => page.map(({ id }) => id).join(''))

test('a new post takes its place once', () => {
  const data = pages([post('c', '2026-05-03'), post('a', '2026-05-01')], [post('0', '2026-04-01')])
  expect(ids(withNewPost(data, post('b', '2026-05-02')))).toEqual(['cba', '0'])
  expect(ids(withNewPost(data, post('0', '2026-04-01')))).toEqual(['ca', '0'])
})

test('a post changes wherever it is, or leaves', () => {
  const data = pages([post('b', '2026-05-02')], [post('a', '2026-05-01')])
  expect(withPost(data, 'a', (one) => ({ ...one, likes: 3 })).pages[1]?.[0]?.likes).toBe(3)
  expect(ids(withPost(data, 'b', () => null))).toEqual(['', 'a'])
})
