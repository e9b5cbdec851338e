import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { OtherResults } from '@/features/search/components/other-results'
import { fake } from '@/testing/fake-supabase'
import { renderRoutes } from '@/testing/render-app'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

const games = (count: number) =>
  Array.from({ length: count }, (_, place) => ({
    kind: 'game',
    id: `g${place}`,
    name: `Owls at Jays ${place}`,
    detail: '',
  }))
const show = () => renderRoutes([{ path: '/', element: <OtherResults kind="game" query="owls" /> }], '/')

beforeEach(() => fake.reset())

test('more than fifty results are said to be more', async () => {
  fake.answers = { search_suggest: { data: games(51) } }
  show()
  expect(await screen.findByText(/^The first 50 are listed/)).toBeTruthy()
  expect(screen.getAllByRole('link')).toHaveLength(50)
  expect(fake.calls).toContainEqual(['rpc', 'search_suggest', { query: 'owls', most: 51, kinds: ['game'] }])
  expect(screen.getByRole('link', { name: 'Owls at Jays 0' }).getAttribute('href')).toBe('/games/g0')
})

test('fifty results are all there are', async () => {
  fake.answers = { search_suggest: { data: games(50) } }
  show()
  expect(await screen.findAllByRole('link')).toHaveLength(50)
  expect(screen.queryByText(/^The first 50/)).toBeNull()
})

test('without results the page says what was sought', async () => {
  fake.answers = { search_suggest: { data: [] } }
  show()
  expect(await screen.findByText('No public game has a team called “owls”. Check the spelling.')).toBeTruthy()
})
