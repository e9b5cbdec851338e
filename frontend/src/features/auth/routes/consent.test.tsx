import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import ConsentScreen from '@/features/auth/routes/consent'
import { SessionProvider } from '@/lib/session'
import { fake } from '@/testing/fake-supabase'
import { renderRoutes } from '@/testing/render-app'
import { toastStore } from '@/ui/toast/toast-state'

const leave = vi.hoisted(() => vi.fn())
vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)
vi.mock('@/lib/leave', () => ({ leave }))

const user = { id: 'id-1', email: 'ana@x.test' }
const details = {
  authorization_id: 'a-1',
  redirect_uri: 'https://scout.test/callback',
  client: { id: 'c-1', name: 'Scout' },
  user,
  scope: 'openid email email custom',
}
const answer = (redirect_url: string) => ({ data: { redirect_url }, error: null })
const failed = (code: string) => ({ data: null, error: Object.assign(new Error('no'), { code }) })

function open(path = '/?authorization_id=a-1', session: object | null = { user }) {
  fake.auth.onAuthStateChange.mockImplementation((tell: (event: string, session: object | null) => void) => {
    tell('INITIAL_SESSION', session)
    return { data: { subscription: { unsubscribe: () => undefined } } }
  })
  return renderRoutes([{ path: '/', element: <ConsentScreen /> }], path, (page) => (
    <SessionProvider>{page}</SessionProvider>
  ))
}

beforeEach(() => {
  fake.reset()
  leave.mockReset()
})

test('says who asks, for what, and where it leads', async () => {
  fake.oauth.getAuthorizationDetails.mockResolvedValue({ data: details, error: null })
  open()
  expect(await screen.findByRole('heading', { name: 'Scout asks for access' })).toBeTruthy()
  const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(items).toEqual(['Know that it is you', 'See your email address', 'custom'])
  expect(screen.getByText('scout.test')).toBeTruthy()
  expect(screen.getByText('ana@x.test')).toBeTruthy()
  expect(fake.oauth.getAuthorizationDetails).toHaveBeenCalledExactlyOnceWith('a-1')
})

test.each([
  ['Allow', fake.oauth.approveAuthorization, 'https://scout.test/callback?code=1'],
  ['Deny', fake.oauth.denyAuthorization, 'https://scout.test/callback?error=access_denied'],
])('%s goes back to the app', async (name, method, url) => {
  fake.oauth.getAuthorizationDetails.mockResolvedValue({ data: details, error: null })
  method.mockResolvedValue(answer(url))
  const person = open()
  await person.click(await screen.findByRole('button', { name }))
  await waitFor(() => expect(leave.mock.lastCall?.[0]).toBe(url))
  expect(method).toHaveBeenCalledExactlyOnceWith('a-1', { skipBrowserRedirect: true })
  expect(screen.getByRole('button', { name: 'Allow' })).toHaveProperty('disabled', true)
})

test('what was allowed before is not asked again', async () => {
  fake.oauth.getAuthorizationDetails.mockResolvedValue(answer('https://scout.test/callback?code=2'))
  open()
  await waitFor(() => expect(leave).toHaveBeenCalledWith('https://scout.test/callback?code=2'))
})

test('a visitor signs in first, on the same page', async () => {
  open('/?authorization_id=a-1', null)
  expect(await screen.findByRole('heading', { name: 'Sign in to go on' })).toBeTruthy()
  expect(screen.getByLabelText('Email')).toBeTruthy()
  expect(fake.oauth.getAuthorizationDetails).not.toHaveBeenCalled()
})

test.each([
  ['oauth_authorization_not_found', 'This request is over'],
  ['feature_disabled', 'Other apps cannot sign in here'],
  ['unexpected_failure', 'This request could not be loaded'],
])('%s is said in words', async (code, title) => {
  fake.oauth.getAuthorizationDetails.mockResolvedValue(failed(code))
  open()
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy()
})

test('a link without a request says so', async () => {
  open('/')
  expect(await screen.findByRole('heading', { name: 'This link is incomplete' })).toBeTruthy()
})

test('an answer that is not taken can be given again', async () => {
  fake.oauth.getAuthorizationDetails.mockResolvedValue({ data: details, error: null })
  fake.oauth.approveAuthorization.mockResolvedValue(failed('unexpected_failure'))
  const person = open()
  await person.click(await screen.findByRole('button', { name: 'Allow' }))
  await waitFor(() => expect(toastStore.read()[0]?.title).toBe('Your answer was not taken'))
  expect(leave).not.toHaveBeenCalled()
  expect(screen.getByRole('button', { name: 'Allow' })).toHaveProperty('disabled', false)
})
