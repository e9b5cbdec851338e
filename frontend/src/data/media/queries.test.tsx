import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { usePhoto } from '@/data/media/queries'

const asked = vi.hoisted(() => vi.fn())

vi.mock('@/lib/supabase', () => ({
  supabase: {
    storage: {
      from: (bucket: string) => ({
        headers: {},
        setHeader(name: string, value: string) {
          this.headers = { [name]: value }
          return this
        },
        createSignedUrls(paths: string[], life: number) {
          asked(bucket, paths, life, this.headers)
          const data = paths.map((path) =>
            path.startsWith('hidden') ? { path, signedUrl: null } : { path, signedUrl: `signed:${path}` },
          )
          return Promise.resolve({ data, error: null })
        },
      }),
    },
  },
}))

function Photo({ photo, opened }: { photo: string | null; opened?: string }) {
  const { url } = usePhoto(photo, 'small', opened)
  return <p>{url ?? `no ${photo}`}</p>
}

const show = (photos: React.ReactNode) =>
  render(<QueryClientProvider client={new QueryClient()}>{photos}</QueryClientProvider>)

beforeEach(() => asked.mockReset())

test('the photos of a list are asked for in one request, each once', async () => {
  show(
    <>
      <Photo photo="a/1" />
      <Photo photo="b/2" />
      <Photo photo="hidden/3" />
      <Photo photo={null} />
    </>,
  )
  await screen.findByText('signed:a/1/small.jpg')
  await screen.findByText('signed:b/2/small.jpg')
  screen.getByText('no hidden/3')
  const paths = ['a/1/small.jpg', 'b/2/small.jpg', 'hidden/3/small.jpg']
  expect(asked.mock.calls).toEqual([['profile-photos', paths, 600, {}]])
})

test('a page names whose it is, so that a verified coach sees the photo of a child', async () => {
  show(<Photo photo="a/1" opened="a" />)
  await screen.findByText('signed:a/1/small.jpg')
  expect(asked.mock.calls).toEqual([['profile-photos', ['a/1/small.jpg'], 600, { 'x-opened-profile': 'a' }]])
})
