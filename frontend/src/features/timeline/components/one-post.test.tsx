import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Post } from '@/data/timeline/model'
import { changePost } from '@/data/timeline/pages'
import { ReportContext } from '@/lib/report'
import { OnePost } from '@/features/timeline/components/one-post'

const ID = '00000000-0000-4000-8000-00000000000a'
const server = vi.hoisted(() => ({ posts: [] as unknown[], asked: [] as unknown[] }))

vi.mock('@/lib/supabase', () => ({
  supabase: {
    rpc: (name: string, given: unknown) => {
      if (name === 'timeline') server.asked.push(given)
      return { abortSignal: () => Promise.resolve({ data: server.posts, error: null }) }
    },
    from: () => {
      const builder: Record<string, () => unknown> = { abortSignal: () => Promise.resolve({ data: [], error: null }) }
      for (const step of ['select', 'eq', 'order', 'limit', 'or', 'in']) builder[step] = () => builder
      return builder
    },
  },
  unwrap: ({ data }: { data: unknown }) => data,
}))

const POST = {
  id: ID,
  kind: 'result',
  created_at: '2026-05-01T12:00:00Z',
  visibility: 'public',
  state: 'shown',
  body: '',
  author_id: null,
  author_name: null,
  team_name: 'Owls',
  likes: 0,
  liked: false,
  comments: 0,
} as Partial<Post> as Post

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
const show = (id: string) =>
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <ReportContext value={({ name }) => <button>{`Report ${name}`}</button>}>
          <OnePost id={id} userId="me" />
        </ReportContext>
      </MemoryRouter>
    </QueryClientProvider>,
  )

beforeEach(() => {
  client.clear()
  server.asked = []
})

test('a result has an address that can be copied, and can be reported', async () => {
  server.posts = [POST]
  const writeText = vi.fn().mockResolvedValue(undefined)
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
  show(ID)
  fireEvent.click(await screen.findByRole('button', { name: 'Copy the link to this post' }))
  expect(writeText).toHaveBeenCalledWith(`${location.origin}/timeline?post=${ID}`)
  screen.getByRole('button', { name: 'Report the result of Owls' })
  expect(screen.queryByLabelText('Your comment')).toBeNull()
  expect(server.asked).toEqual([{ scope: 'post', only_id: ID }])
})

test('a post is shown with its comments, and leaves once it is removed', async () => {
  server.posts = [{ ...POST, kind: 'post', author_id: 'ann', author_name: 'Ann', body: 'Two hours in the cage' }]
  show(ID)
  await screen.findByText('Two hours in the cage')
  await screen.findByLabelText('Your comment')
  changePost(client, ID, () => null)
  await screen.findByText('There is no such post')
})

test.each([
  ['unknown or hidden', ID],
  ['no id at all', 'x'],
])('%s: there is no such post', async (_, id) => {
  server.posts = []
  show(id)
  await screen.findByText('There is no such post')
})
