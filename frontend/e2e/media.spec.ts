import { createClient } from '@supabase/supabase-js'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { film, photo, PLACE } from './files.ts'
import { entry, enter, review, watchConsole } from './page.ts'

const id = (number: number) => `d0600000-0000-4000-8000-${String(number).padStart(12, '0')}`
const PLAYER = id(1)

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true, tokenLife: 3600 })
  // The invented player is a minor, whose photos a guardian adds.
  await dugout.query(`update public.birth_dates set birth_date = '2000-01-01' where user_id = $1`, [PLAYER])
})
test.afterAll(() => dugout.stop())
// Files travel, and many pictures are taken of the screens.
test.describe.configure({ timeout: 240_000 })

const loaded = (page: Page, name: string | RegExp) =>
  expect
    .poll(() => page.getByRole('img', { name }).evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)

/** The files on the server's disk that belong to somebody. */
const filesOf = (owner: string) =>
  readdirSync(dugout.storage, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && join(entry.parentPath, entry.name).includes(owner),
  ).length

test('a player adds a photo, crops it by pointer and keyboard, replaces and removes it', async ({ page }) => {
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'player')
  await page.goto(`${dugout.url}/player`)
  await page.getByRole('button', { name: 'Add a photo' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a photo' })
  await dialog
    .getByLabel('Picture')
    .setInputFiles({ name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no') })
  await expect(dialog.getByRole('alert')).toContainText('cannot be read as a picture')
  await dialog
    .getByLabel('Picture')
    .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await photo(page) })
  const crop = dialog.getByRole('application', { name: 'Crop' })
  const place = () => crop.locator('img').evaluate((image) => [image.style.left, image.style.width].map(parseFloat))
  await expect.poll(place).toEqual([-50, 200])
  await review(page, 'photo-dialog')
  await crop.focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(async () => (await place())[0]).toBeGreaterThan(-50)
  await page.keyboard.press('+')
  await expect.poll(async () => (await place())[1]).toBeGreaterThan(200)
  const before = (await place())[0] ?? 0
  const box = await crop.boundingBox()
  if (!box) throw new Error('The crop is not shown.')
  await page.mouse.move(box.x + 50, box.y + 50)
  await page.mouse.down()
  await page.mouse.move(box.x + 80, box.y + 50, { steps: 3 })
  await page.mouse.up()
  await expect.poll(async () => (await place())[0]).toBeGreaterThan(before)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await loaded(page, /^Photo of/)
  await review(page, 'player-photo')
  expect(filesOf(PLAYER)).toBe(2)

  await page.getByRole('button', { name: 'Open menu' }).click()
  const face = page.getByRole('dialog').locator('img').first()
  await expect.poll(() => face.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(96)
  await review(page, 'drawer-photo')
  await page.getByRole('button', { name: 'Close menu' }).click()

  // The old files go with the old photo.
  await page.getByRole('button', { name: 'Change the photo' }).click()
  await page.getByLabel('Picture').setInputFiles({ name: 'me.png', mimeType: 'image/jpeg', buffer: await photo(page) })
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await loaded(page, /^Photo of/)
  await expect.poll(() => filesOf(PLAYER)).toBe(2)

  // Hidden, it is no longer seen by visitors, not even with a URL that they were given.
  const visitor = await page.context().browser()?.newPage()
  if (!visitor) throw new Error('There is no browser.')
  await visitor.goto(`${dugout.url}/player/${PLAYER}`)
  await loaded(visitor, /^Photo of/)
  const url = await visitor.getByRole('img', { name: /^Photo of/ }).getAttribute('src')
  expect((await visitor.request.get(url ?? '')).status()).toBe(200)
  await dugout.query('update public.users set public_profile = false where id = $1', [PLAYER])
  expect((await visitor.request.get(url ?? '')).status()).toBe(400)
  await visitor.close()
  await page.reload()
  await loaded(page, /^Photo of/)

  await page.getByRole('button', { name: 'Change the photo' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Add a photo' })).toBeVisible()
  await expect.poll(() => filesOf(PLAYER)).toBe(0)
  await dugout.query('update public.users set public_profile = true where id = $1', [PLAYER])
  expect(problems).toEqual([])
})

test('a place is gone from what is uploaded with storage-js itself', async ({ page }) => {
  const { API_URL, ANON_KEY } = await dugout.status()
  const client = createClient(API_URL, ANON_KEY)
  await client.auth.signInWithPassword({ email: 'player@dugout.test', password: 'dugout-demo' })
  const files = client.storage.from('profile-photos')
  const name = `${PLAYER}/${crypto.randomUUID()}/large.jpg`
  const picture = await photo(page)
  expect(picture.includes(PLACE)).toBe(true)
  expect((await files.upload(name, picture, { contentType: 'image/jpeg' })).error).toBeNull()
  const { data } = await files.download(name)
  const stored = Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer())
  expect(stored.length).toBe(picture.length)
  expect(stored.includes(PLACE)).toBe(false)
  await files.remove([name])
})

test('a player uploads a video with a pause and a lost connection, and watches it', async ({ page, context }) => {
  const problems = watchConsole(page, 'ERR_INTERNET_DISCONNECTED', 'net::ERR')
  await enter(page, dugout.url, 'player')
  await page.goto(`${dugout.url}/player`)
  const videos = page.getByRole('region', { name: 'Videos' })
  await videos.getByRole('button', { name: 'Upload video' }).click()
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(page.getByText('Please choose a video.')).toBeVisible()
  await page
    .getByLabel('Video', { exact: true })
    .setInputFiles({ name: 'x.mp4', mimeType: 'video/mp4', buffer: Buffer.from('nothing') })
  await entry(page, 'Title').fill('Opposite-field double')
  await review(page, 'video-dialog')
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(page.getByText('is no MP4, MOV or WebM video')).toBeVisible()

  // Its second part is held back, so that there is something to pause.
  let release = () => {}
  const released = new Promise<void>((go) => (release = go))
  await page.route('**/upload/resumable/**', async (route) => {
    const second = route.request().method() === 'PATCH' && route.request().headers()['upload-offset'] !== '0'
    if (second) await released
    await route.continue().catch(() => undefined)
  })
  const movie = await film(page)
  expect(movie.includes(PLACE)).toBe(true)
  await page
    .getByLabel('Video', { exact: true })
    .setInputFiles({ name: 'x.webm', mimeType: 'video/webm', buffer: movie })
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await videos.getByRole('button', { name: 'Pause' }).click()
  await expect(videos.getByText(/^Paused at/)).toBeVisible()
  await review(page, 'video-paused')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
  const leaving = page.getByRole('alertdialog', { name: 'Unsaved Changes Detected' })
  await expect(leaving.getByText('The video “Opposite-field double” is being uploaded')).toBeVisible()
  await leaving.getByRole('button', { name: 'Cancel' }).click()
  release()
  await context.setOffline(true)
  await videos.getByRole('button', { name: 'Continue' }).click()
  await expect(videos.getByText('the upload continues when you are online')).toBeVisible()
  await context.setOffline(false)
  await expect(videos.getByRole('button', { name: 'Watch Opposite-field double' })).toBeVisible({ timeout: 30_000 })
  await videos.getByRole('button', { name: 'Watch Opposite-field double' }).click()
  const video = videos.locator('video')
  await expect.poll(() => video.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0)
  await review(page, 'video-player')
  const src = await video.getAttribute('src')
  const stored = await (await page.request.get(src ?? '')).body()
  expect(stored.length).toBe(movie.length)
  expect(stored.includes(PLACE)).toBe(false)
  expect(filesOf(PLAYER)).toBe(1)

  await videos.getByRole('button', { name: 'Remove Opposite-field double' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(videos.getByText('Opposite-field double')).toHaveCount(0)
  await expect.poll(() => filesOf(PLAYER)).toBe(0)
  expect(problems).toEqual([])
})

test("a guardian adds a child's photo; the child cannot", async ({ page, browser }) => {
  const child = await (await browser.newContext()).newPage()
  await enter(child, dugout.url, 'junior')
  await child.goto(`${dugout.url}/player`)
  await expect(child.getByRole('region', { name: 'At a glance' })).toBeVisible()
  await expect(child.getByText(/your parent or guardian adds your photo and videos/)).toBeVisible()
  await expect(child.getByRole('button', { name: 'Add a photo' })).toHaveCount(0)
  await expect(child.getByRole('button', { name: 'Upload video' })).toHaveCount(0)
  await child.context().close()
  const [junior] = await dugout.query<{ id: string }>(`select id from auth.users where email = 'junior@dugout.test'`)
  await enter(page, dugout.url, 'guardian')
  await page.goto(`${dugout.url}/player/${junior?.id ?? ''}`)
  await page.getByRole('button', { name: 'Add a photo' }).click()
  await page.getByLabel('Picture').setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await photo(page) })
  await page.getByRole('button', { name: 'Save' }).click()
  await loaded(page, /^Photo of/)
})

test('a coach gives the team a logo', async ({ page }) => {
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'coach')
  await page.goto(`${dugout.url}/coach`)
  await page
    .getByRole('button', { name: /^Add the logo of/ })
    .first()
    .click()
  await page
    .getByLabel('Picture')
    .setInputFiles({ name: 'logo.jpg', mimeType: 'image/jpeg', buffer: await photo(page) })
  await review(page, 'logo-dialog')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('button', { name: /^Change the logo of/ })).toBeVisible()
  await review(page, 'coach-logo')
  expect(problems).toEqual([])
})

test('a deleted account leaves no file', async ({ page }) => {
  await enter(page, dugout.url, 'fan')
  const [fan] = await dugout.query<{ id: string }>(`select id from auth.users where email = 'fan@dugout.test'`)
  const owner = fan?.id ?? ''
  await page.goto(`${dugout.url}/player`)
  await page.getByRole('button', { name: 'Add a photo' }).click()
  await page.getByLabel('Picture').setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await photo(page) })
  await page.getByRole('button', { name: 'Save' }).click()
  await loaded(page, /^Photo of/)
  expect(filesOf(owner)).toBe(2)
  await dugout.query('delete from auth.users where id = $1', [owner])
  await expect.poll(() => filesOf(owner)).toBe(0)
})
