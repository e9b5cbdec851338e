import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { Article } from '@/data/newsroom/model'
import { namesMinorQuery } from '@/data/newsroom/queries'
import { Publication } from '@/features/newsroom/components/publication'

vi.mock('@/lib/supabase', () => ({ supabase: {} }))

function show(article: Partial<Article>, namesMinor: boolean) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(namesMinorQuery('a').queryKey, namesMinor)
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <Publication
          article={{ id: 'a', ...article } as Article}
          store={() => Promise.resolve(true)}
          onProblem={() => undefined}
          onDone={() => undefined}
        />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

test('the newsroom is told that nobody reads an article, and why', () => {
  show({ status: 'published', published_at: '2026-05-01T12:00:00Z' }, true)
  expect(screen.getByRole('status').textContent).toBe(
    'Nobody reads this now: it names a minor whose profile is not public. Take the name out by a correction.',
  )
})

test('of one that is scheduled, too', () => {
  show({ status: 'published', published_at: '2999-05-01T12:00:00Z' }, true)
  expect(screen.getByRole('status').textContent).toBe(
    'Nobody will read this: it names a minor whose profile is not public. Take the name out.',
  )
})

test.each([
  ['published', false],
  ['draft', true],
])('not of a %s article otherwise', (status, namesMinor) => {
  show({ status, published_at: null }, namesMinor)
  expect(screen.queryByRole('status')).toBeNull()
})
