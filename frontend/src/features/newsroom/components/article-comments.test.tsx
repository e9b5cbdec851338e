import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import ArticleComments from '@/features/newsroom/components/article-comments'

/** 45 comments, the latest first, as the database has them. */
const ROWS = Array.from({ length: 45 }, (_, n) => ({
  id: `c${45 - n}`,
  author_id: 'ann',
  body: `Comment ${45 - n}`,
  state: 'shown',
  removal_reason: null,
  created_at: `2026-05-01T12:00:${String(45 - n).padStart(2, '0')}Z`,
  author: { full_name: 'Ann' },
}))

const asked = vi.hoisted(() => [] as (string | null)[])

vi.mock('@/lib/supabase', () => {
  const request = () => {
    let after: string | null = null
    const builder = {
      select: () => builder,
      eq: () => builder,
      order: () => builder,
      limit: () => builder,
      or: (filter: string) => {
        after = filter
        return builder
      },
      abortSignal: () => {
        asked.push(after)
        const from = after ? ROWS.findIndex(({ id }) => after?.includes(`id.lt.${id})`)) + 1 : 0
        return Promise.resolve({ data: ROWS.slice(from, from + 20), error: null })
      },
    }
    return builder
  }
  return { supabase: { from: request }, unwrap: ({ data }: { data: unknown }) => data }
})

test('the latest comments are shown, the newest last, and earlier ones on demand', async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ArticleComments articleId="a" userId="me" isEditor={false} />
    </QueryClientProvider>,
  )
  const shown = () => screen.getAllByText(/^Comment \d/).map(({ textContent }) => textContent)
  await screen.findByText('Comment 45')
  expect(shown().at(0)).toBe('Comment 26')
  expect(shown().at(-1)).toBe('Comment 45')
  fireEvent.click(screen.getByRole('button', { name: 'Earlier comments' }))
  await screen.findByText('Comment 6')
  fireEvent.click(screen.getByRole('button', { name: 'Earlier comments' }))
  await screen.findByText('Comment 1')
  expect(shown()).toHaveLength(45)
  expect(asked[1]).toBe('created_at.lt."2026-05-01T12:00:26Z",and(created_at.eq."2026-05-01T12:00:26Z",id.lt.c26)')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Earlier comments' })).toBeNull())
})
