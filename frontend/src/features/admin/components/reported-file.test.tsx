import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { ReportedFile } from '@/features/admin/components/reported-file'

const { createSignedUrls } = vi.hoisted(() => ({
  createSignedUrls: vi.fn((paths: string[]) =>
    Promise.resolve({ data: paths.map((path) => ({ path, signedUrl: `https://files.test/${path}` })), error: null }),
  ),
}))
vi.mock('@/lib/supabase', () => ({ supabase: { storage: { from: () => ({ createSignedUrls }) } } }))

beforeEach(() => {
  createSignedUrls.mockClear()
})

function show(path: string, alt = '') {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ReportedFile media={{ bucket: 'post-media', path, alt }} />
    </QueryClientProvider>,
  )
}

/** Opens the details, which jsdom does not do by a click on the summary. */
function open() {
  const details = screen.getByRole('group')
  details.setAttribute('open', '')
  fireEvent(details, new Event('toggle'))
}

/** Longer than requests are collected. */
const aMoment = () => new Promise((done) => setTimeout(done, 100))

test('a reported picture is asked for when it is opened', async () => {
  show('a/b.jpg', 'A glove')
  await aMoment()
  expect(screen.queryByAltText('A glove')).toBeNull()
  expect(createSignedUrls).not.toHaveBeenCalled()
  open()
  expect((await screen.findByRole('img', { name: 'A glove' })).getAttribute('src')).toBe('https://files.test/a/b.jpg')
})

test('a reported video is, too', async () => {
  show('a/b.mp4')
  await aMoment()
  expect(createSignedUrls).not.toHaveBeenCalled()
  open()
  expect((await screen.findByLabelText('Reported video')).getAttribute('src')).toBe('https://files.test/a/b.mp4')
})
