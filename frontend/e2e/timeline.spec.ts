import { expect, test, type Page } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { PLACE, photo } from './files.ts'
import { enter, review, toast, watchConsole } from './page.ts'

// Two people, and a busy machine takes its time.
test.describe.configure({ timeout: 180_000 })

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true })
})
test.afterAll(() => dugout.stop())

const post = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })

async function write(page: Page, text: string, audience: string) {
  await page.getByLabel('Your post').fill(text)
  await page.getByLabel('Who reads it').selectOption({ label: audience })
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(post(page, text)).toBeVisible()
}

/** Opens the timeline, and waits until posts of others arrive. */
async function open(page: Page, who: string) {
  await enter(page, dugout.url, who)
  const joined = page.waitForEvent('websocket').then((socket) =>
    socket.waitForEvent('framereceived', {
      predicate: ({ payload }) => String(payload).includes('realtime:timeline') && String(payload).includes('"ok"'),
    }),
  )
  await page.goto(`${dugout.url}/timeline`)
  await joined
  await expect(page.getByRole('form', { name: 'New post' })).toBeVisible()
}

test('a fan and a coach: posts arrive, are liked, commented on, reported, blocked and removed', async ({
  page,
  browser,
}) => {
  const problems = watchConsole(page)
  const other = await (await browser.newContext()).newPage()
  await open(page, 'fan')
  await open(other, 'coach')

  await test.step('a post with a photo, which tells no place', async () => {
    await page.getByLabel('Your post').fill('Two hours in the cage, and a double off the wall.')
    await page
      .getByLabel('Photo or video of the post')
      .setInputFiles({ name: 'cage.jpg', mimeType: 'image/jpeg', buffer: await photo(page) })
    await page.getByLabel('What it shows').fill('A batting cage in the evening')
    await page.getByLabel('Who reads it').selectOption({ label: 'Public' })
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    const mine = post(page, 'Two hours in the cage')
    await expect(mine).toBeVisible()
    const picture = mine.getByRole('img', { name: 'A batting cage in the evening' })
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(800)
    const url = (await picture.getAttribute('src')) ?? ''
    expect((await (await fetch(url)).text()).includes(PLACE)).toBe(false)
    await expect(page.getByLabel('Your post')).toHaveValue('')
  })

  await test.step('it arrives at the other, who likes and comments', async () => {
    await other.getByRole('button', { name: '1 new post' }).click()
    const theirs = post(other, 'Two hours in the cage')
    await expect(theirs.getByRole('img', { name: 'A batting cage in the evening' })).toBeVisible()
    await theirs.getByRole('button', { name: 'Like, 0 likes' }).click()
    await expect(theirs.getByRole('button', { name: 'Like, 1 like' })).toHaveAttribute('aria-pressed', 'true')
    await theirs.getByRole('button', { name: '0 comments' }).click()
    await theirs.getByLabel('Your comment').fill('Which pitch was it?')
    await theirs.getByRole('button', { name: 'Send' }).click()
    await expect(theirs.getByRole('listitem')).toContainText('Which pitch was it?')
    await expect(theirs.getByRole('button', { name: '1 comment', exact: true })).toBeVisible()
  })

  await test.step('the author reads both after a reload, and takes the comment away', async () => {
    await page.reload()
    const mine = post(page, 'Two hours in the cage')
    await expect(mine.getByRole('button', { name: 'Like, 1 like' })).toHaveAttribute('aria-pressed', 'false')
    await mine.getByRole('button', { name: '1 comment', exact: true }).click()
    await expect(mine.getByRole('listitem')).toContainText('Which pitch was it?')
    await review(page, 'timeline')
    await mine.getByRole('button', { name: /^Remove the comment of/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(mine.getByText('No comments yet.')).toBeVisible()
  })

  await test.step('the other reports it, and an admin removes it with a reason', async () => {
    const theirs = post(other, 'Two hours in the cage')
    await theirs.getByRole('button', { name: /^Report the post/ }).click()
    await other.getByRole('dialog').getByLabel('Reason').selectOption('spam')
    await other.getByRole('dialog').getByRole('button', { name: 'Send report' }).click()
    await expect(toast(other, 'Thank you')).toBeVisible()
    const admin = await (await browser.newContext()).newPage()
    await enter(admin, dugout.url, 'admin')
    await admin.goto(`${dugout.url}/admin?tab=reports`)
    const row = admin.getByRole('row').filter({ hasText: 'Two hours in the cage' })
    await row.getByRole('button', { name: /^Remove the post/ }).click()
    await admin.getByRole('dialog').getByLabel('Reason').fill('An advertisement.')
    await admin.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(row).toHaveCount(0)
    await admin.getByRole('combobox', { name: 'State' }).selectOption('resolved')
    await expect(row.getByRole('button', { name: /^Show the post/ })).toBeVisible()
    await admin.context().close()
    // Live, without a reload.
    await expect(post(other, 'Two hours in the cage')).toHaveCount(0)
    await page.reload()
    await expect(post(page, 'Two hours in the cage')).toContainText('Removed by an admin. An advertisement.')
  })

  await test.step('a post for the team reaches the team alone', async () => {
    await write(other, 'Practice moves to field 2.', 'Cedar Falls Herons')
    await write(other, 'Tryouts are on Saturday.', 'Public')
    await page.getByRole('button', { name: '1 new post' }).click()
    await expect(post(page, 'Tryouts are on Saturday.')).toBeVisible()
    await expect(post(page, 'Practice moves')).toHaveCount(0)
  })

  await test.step('who is blocked disappears, and comes back', async () => {
    await post(page, 'Tryouts are on Saturday.')
      .getByRole('button', { name: /^Block/ })
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
    await expect(post(page, 'Tryouts are on Saturday.')).toHaveCount(0)
    await page.getByRole('tab', { name: 'Mine' }).click()
    await page
      .getByRole('region', { name: 'Blocked' })
      .getByRole('button', { name: /^Unblock/ })
      .click()
    await expect(page.getByRole('region', { name: 'Blocked' })).toHaveCount(0)
    await page.getByRole('tab', { name: 'For you' }).click()
    await expect(post(page, 'Tryouts are on Saturday.')).toBeVisible()
  })

  await test.step('the author deletes a post', async () => {
    await post(other, 'Tryouts are on Saturday.').getByRole('button', { name: 'Delete this post' }).click()
    await other.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(post(other, 'Tryouts are on Saturday.')).toHaveCount(0)
    await expect(post(page, 'Tryouts are on Saturday.')).toHaveCount(0)
  })
  await other.context().close()
  expect(problems).toEqual([])
})

test('a child writes to nobody but the family, and strangers do not comment on minors', async ({ page, browser }) => {
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'junior')
  await page.goto(`${dugout.url}/timeline`)
  await expect(page.getByLabel('Who reads it').getByRole('option')).toHaveText(['Only me and my guardian'])
  await expect(page.getByRole('button', { name: 'Photo or video' })).toHaveCount(0)
  await page.getByLabel('Your post').fill('My first glove!')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(post(page, 'My first glove!')).toContainText('Only me')

  const player = await (await browser.newContext()).newPage()
  await enter(player, dugout.url, 'player')
  await player.goto(`${dugout.url}/timeline`)
  await write(player, 'Ninety on the gun today.', 'Public')
  await expect(post(player, 'My first glove!')).toHaveCount(0)
  await player.context().close()

  const fan = await (await browser.newContext()).newPage()
  await enter(fan, dugout.url, 'fan')
  await fan.goto(`${dugout.url}/timeline`)
  const seen = post(fan, 'Ninety on the gun today.')
  await seen.getByRole('button', { name: '0 comments' }).click()
  await expect(seen).toContainText('Only verified coaches, guardians and young team mates comment on posts of players')
  await expect(seen.getByLabel('Your comment')).toHaveCount(0)
  await fan.context().close()
  expect(problems).toEqual([])
})
