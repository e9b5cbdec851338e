import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { Article, Withholding } from '@/data/newsroom/model'
import { withholdingQuery } from '@/data/newsroom/queries'
import { Publication } from '@/features/newsroom/components/publication'

vi.mock('@/lib/supabase', () => ({ supabase: {} }))

function show(article: Partial<Article>, withholding: Partial<Withholding>) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(withholdingQuery('a').queryKey, { namesMinor: false, removalReason: null, ...withholding })
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

test('a withheld article says that nobody reads it, and why', () => {
  show({ status: 'published', published_at: '2026-05-01T12:00:00Z' }, { namesMinor: true })
  expect(screen.getByRole('status').textContent).toBe(
    'Nobody reads this now: it names somebody whose profile is not public. Remove the name with a correction.',
  )
})

test('so does a scheduled article that will be withheld', () => {
  show({ status: 'published', published_at: '2999-05-01T12:00:00Z' }, { namesMinor: true })
  expect(screen.getByRole('status').textContent).toBe(
    'Nobody will read this: it names somebody whose profile is not public. Remove the name.',
  )
})

test('the newsroom reads why an admin has removed its article', () => {
  show({ status: 'published', published_at: '2026-05-01T12:00:00Z' }, { removalReason: 'It insults a player.' })
  expect(screen.getByRole('status').textContent).toBe(
    'Removed by an admin: “It insults a player.” Correct the article, and ask on the contact page to show it again.',
  )
})

test.each([
  ['published', false],
  ['draft', true],
])('a %s article that is not withheld has no notice', (status, namesMinor) => {
  show({ status, published_at: null }, { namesMinor })
  expect(screen.queryByRole('status')).toBeNull()
})
