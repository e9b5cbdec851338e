import { screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, test, vi } from 'vitest'
import { loadPart } from '@/lib/arrived'
import { lazyScreen } from '@/lib/lazy-screen'
import { renderRoutes } from '@/testing/render-app'
import { ErrorPage } from '@/app/error-page'
import { LoadBoundary } from '@/ui/load-boundary'

function open(load: Parameters<typeof lazyScreen>[0]) {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const Screen = lazyScreen(load)
  const element = (
    <>
      <nav>The shell</nav>
      <LoadBoundary place="/">
        <Suspense>
          <Screen />
        </Suspense>
      </LoadBoundary>
    </>
  )
  return renderRoutes([{ path: '/', element, errorElement: <ErrorPage /> }])
}

const arrived = { default: () => <h1>The screen</h1> }

// Issue 10, C4. React's own `lazy` remembers a failure for ever.
test.each(['a click', 'the connection'])(
  'a screen that did not arrive keeps the shell and comes back with %s',
  async (by) => {
    const load = vi
      .fn<() => Promise<typeof arrived>>()
      .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module: http://h/assets/a.js'))
      .mockResolvedValue(arrived)
    const person = open(load)
    expect(await screen.findByRole('heading', { name: 'Connection lost' })).toBeTruthy()
    expect(screen.getByText('The shell')).toBeTruthy()
    expect(screen.queryByText('Application Error')).toBeNull()
    if (by === 'a click') await person.click(screen.getByRole('button', { name: 'Try again' }))
    else window.dispatchEvent(new Event('online'))
    expect(await screen.findByRole('heading', { name: 'The screen' })).toBeTruthy()
  },
)

test('a screen that arrives and throws is a rendering failure', async () => {
  open(() => Promise.reject(new Error('x is not a function')))
  expect(await screen.findByRole('heading', { name: 'Application Error' })).toBeTruthy()
})

// After a fallback React waits 300 ms before it shows more, which a slow phone need not wait for a part it has.
test('a part that has arrived is drawn without a fallback', async () => {
  const load = () => Promise.resolve(arrived)
  await loadPart(load)
  open(load)
  expect(screen.getByRole('heading', { name: 'The screen' })).toBeTruthy()
})
