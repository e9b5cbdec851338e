import { expect, test } from 'vitest'
import { isPublic, mayEdit, type ArticleRow } from '@/data/newsroom/model'
import { byline, minutes, parseTags } from '@/features/newsroom/model'
import { articleSchema } from '@/features/newsroom/schemas'

const ROW: ArticleRow = {
  id: 'a',
  title: 'T',
  summary: '',
  kind: 'news',
  tags: [],
  cover: null,
  cover_alt: '',
  status: 'published',
  published_at: '2026-05-02T12:00:00Z',
  updated_at: '2026-05-02T12:00:00Z',
  team_id: 't',
  team: { name: 'Owls' },
  author: null,
}
const NOW = new Date('2026-05-10T12:00:00Z')

test('a byline has what is known', () => {
  expect(byline(ROW, NOW)).toBe('Owls · May 2')
  expect(byline({ ...ROW, team: null, author: { full_name: 'Cam' } }, NOW)).toBe('Dugout · Cam · May 2')
  expect(byline({ ...ROW, status: 'draft' }, NOW)).toBe('Owls · Draft')
  expect(byline({ ...ROW, published_at: '2026-05-11T12:00:00Z' }, NOW)).toContain('Scheduled for May 11')
})

test('what is scheduled is not public yet', () => {
  expect(isPublic(ROW, NOW.getTime())).toBe(true)
  expect(isPublic({ ...ROW, published_at: '2026-05-11T12:00:00Z' }, NOW.getTime())).toBe(false)
  expect(isPublic({ ...ROW, status: 'draft' }, NOW.getTime())).toBe(false)
})

test('who edits', () => {
  expect(mayEdit(ROW, { site: true, teams: [] })).toBe(false)
  expect(mayEdit(ROW, { site: false, teams: [{ id: 't', name: 'Owls' }] })).toBe(true)
  expect(mayEdit({ team_id: null }, { site: true, teams: [] })).toBe(true)
  expect(mayEdit(ROW, undefined)).toBe(false)
})

test('tags', () => {
  expect(parseTags(' Recap, walk-off,recap ,')).toEqual(['recap', 'walk-off'])
})

test.each([
  [{ title: ' ' }, 'Please give it a title.'],
  [{ tags: 'a,b,c,d,e,f,g' }, 'Six tags are enough.'],
  [{ tags: 'no_underscores' }, 'Tags have letters, digits, spaces and hyphens, 30 at most.'],
  [{ body: 'x'.repeat(40_001) }, 'Please keep it under 40,000 characters.'],
  [{}, undefined],
])('an article with %o', (change, problem) => {
  const article = { title: 'T', summary: '', body: '', tags: 'recap', cover_alt: '', comments_open: false, ...change }
  expect(articleSchema.safeParse(article).error?.issues[0]?.message).toBe(problem)
})

test('minutes to read', () => {
  expect(minutes('word')).toBe(1)
  expect(minutes('word '.repeat(660))).toBe(3)
})
