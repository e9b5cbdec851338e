import type { Session } from '@supabase/supabase-js'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { preload, whenPreloaded } from '@/app/loads'
import { routes } from '@/app/router'
import { LOADING_TIMEOUT, SessionProvider } from '@/lib/session'
import { useReportUnsavedChange } from '@/lib/unsaved-changes'
import { fake } from '@/testing/fake-supabase'
import { renderRoutes } from '@/testing/render-app'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

const session = { access_token: 'token', user: { id: 'id-1', email: 'ana@x.test' } } as Session
/** As the library stores it. */
const stored = { ...session, refresh_token: 'refresh' }
const account = {
  full_name: 'Ana Ruiz',
  email: 'ana@x.test',
  role: 'coach',
  referral_tokens: 150,
  public_profile: true,
}

const say: typeof fake.say = (event, session) => fake.say(event, session)

/** Opens the app at `path` and, unless told `undefined`, finishes the session check with `known`. */
async function open(path: string, known: Session | null | undefined, extra = <></>) {
  const person = renderRoutes(routes, path, (page) => (
    <SessionProvider>
      {page}
      {extra}
    </SessionProvider>
  ))
  if (known !== undefined) await say('INITIAL_SESSION', known)
  return person
}

const landing = () => screen.queryByRole('link', { name: 'Join Free Today' })
/** The first to open it waits for all that Home is made of. */
const home = () => screen.findByRole('heading', { name: /Ana$/ }, { timeout: 5000 })

beforeEach(() => {
  fake.reset()
  fake.answers = {
    users: { data: account },
    my_invitations: { data: [] },
    my_wards: { data: [] },
    home_games: { data: [] },
    home: { data: { account, visibility: 'visible', suspension: null } },
  }
})

// Specification section 2: the only redirect, and what an unknown path shows.
describe('who sees what', () => {
  test.each(['/', '/no/such/page'])('at %s visitors see the landing page and users their home', async (path) => {
    await open(path, null)
    expect(landing()).toBeTruthy()
    await say('SIGNED_IN', session)
    expect(await home()).toBeTruthy()
    expect(landing()).toBeNull()
  })

  test('/signin is for visitors; users are sent to /', async () => {
    await open('/signin', null)
    expect((await screen.findByRole('tab', { name: 'Sign In' })).getAttribute('aria-selected')).toBe('true')
    await say('SIGNED_IN', session)
    expect(await home()).toBeTruthy()
  })

  test('a screen to come says so, inside the shell for users', async () => {
    await open('/analytics', session)
    expect(await screen.findByRole('heading', { name: 'Analytics' })).toBeTruthy()
    expect(document.title).toBe('Analytics · Dugout')
    expect(screen.getByText('Coming soon.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Open menu' }).getAttribute('aria-expanded')).toBe('false')
  })
})

test('who has a second factor shows it first, wherever they are', async () => {
  const access_token = `e30.${btoa(JSON.stringify({ aal: 'aal1' }))}.x`
  const factors = [{ id: 'f1', friendly_name: 'My app', factor_type: 'totp', status: 'verified' }]
  const weak = { access_token, user: { ...session.user, factors } } as unknown as Session
  await open('/analytics', weak)
  expect(await screen.findByRole('heading', { name: 'One more step' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Open menu' })).toBeNull()
  await say('MFA_CHALLENGE_VERIFIED', { ...weak, access_token: 'token' })
  expect(await screen.findByRole('heading', { name: 'Analytics' })).toBeTruthy()
})

// Section 2: "A spinner shows while authentication … is pending, except on / when signed out"; section 4: 300 ms.
describe('while the session check is pending', () => {
  test('/ without a stored session is the landing page at once', async () => {
    await open('/', undefined)
    expect(landing()).toBeTruthy()
    expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull()
  })

  // Issue 10, C3: on a slow line the check takes longer than the 300 ms for which a spinner may show.
  test.each(['/', '/analytics', '/settings'])(
    '%s with a stored session is a spinner for 300 ms at most, then the signed-in shell',
    async (path) => {
      localStorage.setItem('sb-127-auth-token', JSON.stringify(stored))
      vi.useFakeTimers({ shouldAdvanceTime: true })
      await open(path, undefined)
      expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy()
      act(() => void vi.advanceTimersByTime(LOADING_TIMEOUT))
      vi.useRealTimers()
      expect(await screen.findByRole('button', { name: 'Open menu' })).toBeTruthy()
      expect(landing()).toBeNull()
      expect(screen.queryByText('Sign in to see this')).toBeNull()
    },
  )

  // Issue 10, C8: the library makes no request for such a session, so there is nothing to wait for.
  test('a stored session that has not expired needs no check', async () => {
    localStorage.setItem('sb-127-auth-token', JSON.stringify({ ...stored, expires_at: Date.now() / 1000 + 3600 }))
    preload('/analytics')
    await whenPreloaded()
    await open('/analytics', undefined)
    expect(screen.getByRole('button', { name: 'Open menu' })).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Analytics' })).toBeTruthy()
  })

  test('a session that the server cannot be asked about stays; one that it has ended does not', async () => {
    localStorage.setItem('sb-127-auth-token', JSON.stringify(stored))
    await open('/analytics', null)
    expect(await screen.findByRole('button', { name: 'Open menu' })).toBeTruthy()
    localStorage.removeItem('sb-127-auth-token')
    await say('SIGNED_OUT', null)
    expect(await screen.findByText('Sign in to see this')).toBeTruthy()
  })

  test('what is no session in the storage is none', async () => {
    localStorage.setItem('sb-127-auth-token', '{"access_token": 1}')
    await open('/', undefined)
    expect(landing()).toBeTruthy()
  })

  test('another path is a spinner', async () => {
    await open('/pricing', undefined)
    expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy()
  })
})

// Issue 10, C8: on a slow phone the first answers arrive while React is still starting.
describe('the first queries of a screen are sent before it is rendered', () => {
  const home = ['rpc', 'home', undefined]

  test('for users', async () => {
    localStorage.setItem('sb-127-auth-token', JSON.stringify(stored))
    preload('/')
    await whenPreloaded()
    expect(fake.calls).toContainEqual(home)
  })

  test('not for visitors, nor before the second factor', async () => {
    preload('/')
    const access_token = `e30.${btoa(JSON.stringify({ aal: 'aal1' }))}.x`
    const factors = [{ id: 'f1', factor_type: 'totp', status: 'verified' }]
    const weak = { ...stored, access_token, user: { ...session.user, factors } }
    localStorage.setItem('sb-127-auth-token', JSON.stringify(weak))
    preload('/')
    await whenPreloaded()
    expect(fake.calls).toEqual([])
  })
})

// Issue 5, "Rules": other routes say so in place, without a redirect.
test('visitors of a screen for users are told in place', async () => {
  await open('/analytics', null)
  expect(await screen.findByText('Sign in to see this')).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Analytics' })).toBeTruthy()
})

test('the menu knows the role and where one is', async () => {
  const person = await open('/', session)
  await person.click(await screen.findByRole('button', { name: 'Open menu' }))
  const menu = within(await screen.findByRole('dialog', { name: 'Menu' }))
  await waitFor(() => expect(menu.getByRole('link', { name: 'My Profile' }).getAttribute('href')).toBe('/coach'))
  expect(menu.getByRole('link', { current: 'page' }).textContent).toBe('Home')
  expect(menu.queryByRole('link', { name: 'Admin' })).toBeNull()
})

// Issue 10, C7.
test('Escape closes the menu and gives the focus back to its button', async () => {
  const person = await open('/camps', session)
  const button = await screen.findByRole('button', { name: 'Open menu' })
  await person.click(button)
  expect(await screen.findByRole('dialog', { name: 'Menu' })).toBeTruthy()
  await person.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(button))
})

// Issue 10, C7: an id that is none is nobody's; the database would call it a syntax error.
test('/player/nonsense says that there is no such profile', async () => {
  await open('/player/nonsense', null)
  expect(await screen.findByText('This profile is private or does not exist.')).toBeTruthy()
})

// Section 4: "Roles are cached per user id until sign-out".
test('a role is looked up once a user, and anew after sign-out', async () => {
  const person = await open('/camps', session)
  const profile = async () => {
    await person.click(await screen.findByRole('button', { name: 'Open menu' }))
    const link = await within(await screen.findByRole('dialog', { name: 'Menu' })).findByRole('link', {
      name: 'My Profile',
    })
    const to = link.getAttribute('href')
    await person.click(screen.getByRole('button', { name: 'Close menu' }))
    return to
  }
  await waitFor(async () => expect(await profile()).toBe('/coach'))
  fake.answers.users = { data: { ...account, role: 'scout' } }
  await say('TOKEN_REFRESHED', session)
  expect(await profile()).toBe('/coach')
  await say('SIGNED_OUT', null)
  await say('SIGNED_IN', session)
  await waitFor(async () => expect(await profile()).toBe('/scout'))
})

// Issue 5, "Design": focus moves on route change.
test('the focus goes along to the new screen', async () => {
  const person = await open('/', session)
  await person.click(await screen.findByRole('button', { name: 'Open menu' }))
  await person.click(within(screen.getByRole('dialog', { name: 'Menu' })).getByRole('link', { name: 'Analytics' }))
  expect(await screen.findByRole('heading', { name: 'Analytics' })).toBeTruthy()
  await waitFor(() => expect(document.activeElement?.tagName).toBe('MAIN'))
})

// Section 2, "Logout dialog", and section 4, "Logout (confirmed)".
describe('logging out', () => {
  async function openDialog(extra?: React.JSX.Element) {
    const person = await open('/camps', session, extra)
    await person.click(await screen.findByRole('button', { name: 'Open menu' }))
    await person.click(screen.getByRole('button', { name: 'Logout' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(dialog.getByText('Are you sure you want to log out?')).toBeTruthy()
    return { person, dialog }
  }

  test('asks first, and Cancel means no', async () => {
    const { person, dialog } = await openDialog()
    expect(dialog.getByRole('heading').textContent).toBe('Confirm Logout')
    await person.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(fake.auth.signOut).not.toHaveBeenCalled()
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  test.each([
    ['fails', { error: Object.assign(new Error('down'), { status: 500 }) }, 1],
    ['finds the session gone', { error: Object.assign(new Error('gone'), { status: 403 }) }, 0],
    ['succeeds', { error: null }, 0],
  ])('when it %s, empties the storage and goes to /', async (_, answer, logged) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    fake.auth.signOut.mockResolvedValue(answer)
    const { person, dialog } = await openDialog()
    localStorage.setItem('sb-127-auth-token', '{}')
    sessionStorage.setItem('draft', 'x')
    await person.click(dialog.getByRole('button', { name: 'Logout' }))
    await waitFor(() => expect(landing()).toBeTruthy())
    expect(localStorage.length + sessionStorage.length).toBe(0)
    expect(log).toHaveBeenCalledTimes(logged)
  })

  test('with unsaved changes says so in red', async () => {
    function Draft() {
      useReportUnsavedChange({ id: 'bio', description: 'Your biography', location: 'Profile' }, true)
      return null
    }
    const { dialog } = await openDialog(<Draft />)
    expect(dialog.getByRole('heading').textContent).toBe('Unsaved Changes Detected')
    expect(dialog.getByText('Your biography')).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Logout Without Saving' }).className).toContain('bg-destructive')
  })
})

// Section 2, "Framework fallback error screen".
test.each([
  [new Error('The ball was lost in the sun'), 'The ball was lost in the sun'],
  [new Error(''), 'An unexpected error occurred'],
])('a screen that throws %o is replaced by the error screen', (error, message) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  function Broken(): never {
    throw error
  }
  const [root] = routes
  renderRoutes([{ ...root, index: false, children: [{ path: '/', element: <Broken /> }] }], '/', (page) => (
    <SessionProvider>{page}</SessionProvider>
  ))
  expect(screen.getByRole('heading', { name: 'Application Error' })).toBeTruthy()
  expect(screen.getByText(message)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Reload Application' })).toBeTruthy()
  localStorage.setItem('sb-127-auth-token', '{}')
  screen.getByRole('button', { name: 'Clear Data & Reload' }).click()
  expect(localStorage.length).toBe(0)
})
