import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { wardsQuery } from '@/data/minors/queries'
import type { Comment, Post } from '@/data/timeline/model'
import { commentsQuery } from '@/data/timeline/queries'
import type { Ward } from '@/lib/minors'
import { ReportContext } from '@/lib/report'
import Comments from '@/features/timeline/components/comments'
import { PostActions } from '@/features/timeline/components/post-actions'

vi.mock('@/lib/supabase', () => ({ supabase: {} }))

const post = (author: string) =>
  ({ id: 'p', kind: 'post', author_id: author, author_name: author, comments: 2, comment_refusal: null }) as Post

const comment = (author: string) => ({
  id: author,
  author_id: author,
  body: `${author} says`,
  state: 'shown',
  removal_reason: null,
  created_at: '2026-05-01T12:00:00Z',
  author: { full_name: author, photo: null, role: 'player' },
})

/** What gus sees, who is the guardian of kit. */
function show(part: 'actions' | 'comments', author: string, ward: Partial<Ward> = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(wardsQuery('gus').queryKey, [{ ward_id: 'kit', suspended: false, ...ward } as Ward])
  const comments: Comment[] = [comment('kit'), comment('bob')]
  client.setQueryData(commentsQuery('p').queryKey, { pages: [comments], pageParams: [null] })
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <ReportContext value={({ name }) => <button>{`Report ${name}`}</button>}>
          {part === 'actions' ? (
            <PostActions post={post(author)} userId="gus" />
          ) : (
            <Comments post={post(author)} userId="gus" />
          )}
        </ReportContext>
      </MemoryRouter>
    </QueryClientProvider>,
  )
  return screen.getAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent)
}

const COPY = 'Copy the link to this post'

test('a guardian deletes the post of a ward', () => {
  expect(show('actions', 'kit')).toEqual([COPY, 'Delete this post'])
})

test('but not that of somebody else, nor that of a suspended ward', () => {
  expect(show('actions', 'bob')).toEqual([COPY, 'Block bob', 'Report the post of bob'])
  document.body.replaceChildren()
  expect(show('actions', 'kit', { suspended: true })).toEqual([COPY, 'Block kit', 'Report the post of kit'])
})

test('a guardian removes the comment of a ward', () => {
  expect(show('comments', 'ann')).toEqual(['Report the comment of bob', 'Remove the comment of kit', 'Send'])
})

test('and any comment on the post of a ward', () => {
  expect(show('comments', 'kit')).toEqual([
    'Remove the comment of bob',
    'Report the comment of bob',
    'Remove the comment of kit',
    'Send',
  ])
})
