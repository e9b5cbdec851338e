import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { Article } from '@/data/newsroom/model'
import { ReportContext } from '@/lib/report'
import { ArticleView } from '@/features/newsroom/components/article-view'

vi.mock('@/lib/supabase', () => ({ supabase: {} }))

function show(article: Partial<Article>) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <ReportContext value={(props) => <button>{JSON.stringify(props)}</button>}>
          <ArticleView
            article={
              { id: 'a', title: 'Win', body: 'A win.', author_id: 'cam', corrections: [], ...article } as Article
            }
          />
        </ReportContext>
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

test('a published article can be reported', () => {
  show({ status: 'published', published_at: '2026-05-01T12:00:00Z' })
  expect(JSON.parse(screen.getByRole('button').textContent)).toEqual({
    subjectKind: 'article',
    subjectId: 'a',
    subjectUserId: 'cam',
    name: 'this article',
  })
})

test('a draft cannot', () => {
  show({ status: 'draft', published_at: null })
  expect(screen.queryByRole('button')).toBeNull()
})
