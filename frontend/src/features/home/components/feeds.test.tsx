import { render, screen, within } from '@testing-library/react'
import type { ReactElement } from 'react'
import { MemoryRouter } from 'react-router'
import { describe, expect, test } from 'vitest'
import type { NewsRow } from '@/data/home/feed'
import type { NumberChange } from '@/data/home/games'
import type { Discovered } from '@/data/home/queries'
import { ListChanges, OwnChanges } from '@/features/home/components/changes'
import { Discover, News } from '@/features/home/components/news'

const WHO = { player_id: 'p', full_name: 'Ann Ruiz' }
const NUMBER = { label: 'Exit velocity', value: 84.2, unit: 'mph', decimals: 1 }
const NEWS: NewsRow = {
  ...WHO,
  id: 'n',
  kind: 'measurement',
  what: 'Exit velocity',
  value: 84.2,
  unit: 'mph',
  decimals: 1,
  verified: true,
  happened_on: '2026-05-01',
}
const FOUND: Discovered = { ...WHO, ...NUMBER, position: 'SS', grad_year: 2027, taken_at: '2026-05-01' }
const CHANGE: NumberChange = {
  ...WHO,
  id: 'c',
  positions: ['SS'],
  grad_year: 2027,
  kind: 'exit_velocity',
  label: 'Exit velocity',
  decimals: 1,
  unit: 'mph',
  lower_is_better: false,
  was: 82,
  now: 84.2,
  taken_at: '2026-05-01',
  source: 'coach',
  verified: true,
}

// Issue 10, C7: a number may be entered long after it was measured.
describe('a feed shows the day of the measurement beside the number', () => {
  test.each<[string, ReactElement]>([
    ['news of followed players', <News news={[NEWS]} />],
    ['newly verified numbers', <Discover players={[FOUND]} />],
    ['changes of one’s own numbers', <OwnChanges changes={[CHANGE]} percentiles={[]} />],
    ['changes on a scout’s lists', <ListChanges changes={[CHANGE]} />],
  ])('%s', (_, feed) => {
    render(feed, { wrapper: MemoryRouter })
    const { textContent } = within(screen.getByRole('list')).getByRole('listitem')
    expect(textContent).toContain('84.2')
    expect(textContent).toContain('May 1')
  })

  test('a day that is unknown is left out', () => {
    render(<News news={[{ ...NEWS, happened_on: null }]} />, { wrapper: MemoryRouter })
    expect(screen.getByText('Exit velocity 84.2 mph, verified')).toBeTruthy()
  })
})
