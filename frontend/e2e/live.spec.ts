import { createClient, REALTIME_SUBSCRIBE_STATES as STATES } from '@supabase/supabase-js'
import { expect, test, type Page, type WebSocketRoute } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter, expectAccessible, expectToFit, PASSWORD, show, signUp, watchConsole } from './page.ts'

/** Issue 14, "The app uses it": the bell hears of what others do, while they do it. */

const FOLLOWED = { name: 'Ira Bell', email: 'ira@club.test' } as const
/** After the first paint the page rests before it connects. */
const CONNECTS = 30_000

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true, tokenLife: 3600 })
})
test.afterAll(() => dugout.stop())

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
const reconnecting = (page: Page) => page.getByRole('status').filter({ hasText: 'Reconnecting…' })

const idOf = async (email: string) => {
  const [row] = await dugout.query<{ id: string }>('select id from auth.users where email = $1', [email])
  return row?.id ?? ''
}

/** A player with a public profile, whose bell shows nothing but the welcome, which is read. */
async function arrive(page: Page): Promise<string> {
  await signUp(page, dugout.url, FOLLOWED)
  await page.getByLabel('Birth date').fill('1990-02-03')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Yes, save' }).click()
  const id = await idOf(FOLLOWED.email)
  await dugout.query('update public.users set public_profile = true where id = $1', [id])
  await bell(page).click()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await page.keyboard.press('Escape')
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  return id
}

async function follow(page: Page, id: string, now: 'Follow' | 'Following') {
  await page.goto(`${dugout.url}/player/${id}`)
  await page.getByRole('button', { name: now, exact: true }).click()
  await expect(page.getByRole('button', { name: now === 'Follow' ? 'Following' : 'Follow', exact: true })).toBeVisible()
}

test('one follows, and the other’s bell counts up without a reload, also after a lost connection', async ({
  page,
  browser,
}) => {
  const problems = watchConsole(page)
  let line: WebSocketRoute | undefined
  let cut = false
  await page.routeWebSocket(/realtime\/v1\/websocket/, (socket) => {
    if (cut) return void socket.close({ code: 1013 })
    line = socket
    socket.connectToServer()
  })
  const joined = page.waitForEvent('websocket', { timeout: CONNECTS }).catch(() => null)
  const id = await arrive(page)
  await joined
  const fan = await (await browser.newContext()).newPage()
  await enter(fan, dugout.url, 'fan')
  await follow(fan, id, 'Follow')
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread', { timeout: CONNECTS })
  await bell(page).click()
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await expect(panel.getByText('New follower')).toBeVisible()
  await expect(panel).not.toContainText('Fran')
  await page.keyboard.press('Escape')

  // Offline for a while: the shell says so, and nothing is lost.
  cut = true
  await line?.close({ code: 1013 })
  await expect(reconnecting(page)).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  await expectToFit(page)
  await expectAccessible(page)
  await show(page, 'reconnecting')
  const scout = await (await browser.newContext()).newPage()
  await enter(scout, dugout.url, 'scout')
  await follow(scout, id, 'Follow')
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
  cut = false
  await expect(bell(page)).toHaveAccessibleName('Notifications, 2 unread', { timeout: CONNECTS })
  await expect(reconnecting(page)).toHaveCount(0)

  // What was deleted does not come back with the next connection, nor with a reload.
  await bell(page).click()
  await page.getByRole('button', { name: 'Clear all' }).click()
  const connects = page.waitForEvent('websocket', { timeout: CONNECTS })
  await page.reload()
  await connects
  // The switch in settings has its effect: of the two, only the notification that is wanted arrives.
  const settings = await (await page.context().newPage()).goto(`${dugout.url}/settings`)
  expect(settings?.ok()).toBe(true)
  const [, second] = page.context().pages()
  await second?.getByRole('switch', { name: 'New followers: In the app' }).click()
  await expect
    .poll(() => dugout.query('select from public.notification_preferences where user_id = $1 and not enabled', [id]))
    .toHaveLength(1)
  await dugout.query('update private.notified set notified_at = notified_at - interval $$1 day$$')
  await follow(fan, id, 'Following')
  await follow(fan, id, 'Follow')
  await dugout.query(
    `select set_config('request.jwt.claims', json_build_object('sub', gen_random_uuid())::text, false),
       private.notify_user($1::uuid, 'verification', 'measurement_verified', 'x', '{"label": "Bat speed"}')`,
    [id],
  )
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread', { timeout: CONNECTS })
  await bell(page).click()
  await expect(panel).toContainText('A coach has verified: Bat speed.')
  await expect(panel.getByRole('listitem')).toHaveCount(1)
  // In the other tab it is the same one.
  await expect(bell(second ?? page)).toHaveAccessibleName('Notifications, 1 unread')
  expect(problems).toEqual([])
})

test('nobody joins the channel of another user, or sends to it', async () => {
  const { ANON_KEY } = await dugout.status()
  const client = createClient(dugout.url, ANON_KEY)
  const stranger = createClient(dugout.url, ANON_KEY)
  const email = 'own@club.test'
  const { data } = await client.auth.signUp({ email, password: PASSWORD })
  await stranger.auth.signUp({ email: 'stranger@club.test', password: PASSWORD })
  const topic = `user:${data.user?.id ?? ''}`
  const join = (of: typeof client, isPrivate: boolean) =>
    new Promise<string>((done) => {
      const channel = of.channel(topic, { config: { private: isPrivate, broadcast: { ack: true } } })
      channel.subscribe((status, error) => done(error ? error.message : status))
    })
  await client.realtime.setAuth()
  await stranger.realtime.setAuth()
  expect(await join(client, true)).toBe('SUBSCRIBED')
  expect(await join(stranger, true)).toContain('Unauthorized')
  const visitor = createClient(dugout.url, ANON_KEY)
  expect(await join(visitor, true)).toContain('Unauthorized')
  const another = createClient(dugout.url, ANON_KEY)
  expect(await join(another, false)).toContain('PrivateOnly')

  const heard: unknown[] = []
  const mine = createClient(dugout.url, ANON_KEY)
  await mine.auth.signInWithPassword({ email, password: PASSWORD })
  await mine.realtime.setAuth()
  await new Promise<void>((done) => {
    mine
      .channel(topic, { config: { private: true } })
      .on('broadcast', { event: '*' }, (message) => heard.push(message))
      .subscribe((status) => status === STATES.SUBSCRIBED && done())
  })
  const token = (await stranger.auth.getSession()).data.session?.access_token ?? ''
  const sent = await fetch(`${dugout.url}/realtime/v1/api/broadcast/${topic}/events/notification?private=true`, {
    method: 'POST',
    headers: { apikey: ANON_KEY, Authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'x', kind: 'followed' }),
  })
  expect(sent.status).toBe(403)
  // Not even the owner, who may read.
  await client.getChannels()[0]?.send({ type: 'broadcast', event: 'notification', payload: { id: 'x' } })
  await dugout.query("select realtime.send('{}', 'marker', $1)", [topic])
  await expect.poll(() => heard.length, { timeout: CONNECTS }).toBe(1)
  expect(heard).toMatchObject([{ event: 'marker' }])
  await Promise.all([client, stranger, visitor, another, mine].map((own) => own.removeAllChannels()))
})
