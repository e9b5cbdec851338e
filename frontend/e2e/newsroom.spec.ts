import { expect, test, type Page } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { photo } from './files.ts'
import { enter, review, toast, watchConsole } from './page.ts'

// A whole newsroom, and a busy machine takes its time.
test.describe.configure({ timeout: 180_000 })

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true })
})
test.afterAll(() => dugout.stop())

async function begin(page: Page, title: string) {
  await page.goto(`${dugout.url}/news-reel`)
  await page.getByRole('button', { name: 'Write' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill(title)
  await page.getByRole('dialog').getByRole('button', { name: 'Begin' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Draft' })).toBeVisible()
}

const rss = async () => {
  const answer = await fetch(`${dugout.url}/rest/v1/rpc/news_rss`)
  expect(answer.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
  return answer.text()
}

test('a coach writes, previews, publishes and corrects; visitors read it', async ({ page, browser }) => {
  // An article that names a child is refused once.
  const problems = watchConsole(page, '400 (Bad Request)')
  await enter(page, dugout.url, 'coach')
  await page.goto(`${dugout.url}/news-reel`)
  await expect(page.getByText('No article yet')).toBeVisible()
  await review(page, 'newsroom-empty')

  await test.step('a draft with a cover, and its preview', async () => {
    await begin(page, 'Herons open at home')
    await page.getByLabel('Summary').fill('Ten games in three weeks.')
    await page.getByLabel('Text').fill('## First week\n\n**Monday**: practice.\n\n<img src=x onerror=alert(1)>')
    await page.getByLabel('Tags').fill('Schedule, home')
    await page
      .getByLabel('Cover picture')
      .setInputFiles({ name: 'field.jpg', mimeType: 'image/jpeg', buffer: await photo(page) })
    await page.getByLabel('What the cover shows').fill('The field at dusk')
    await page.getByRole('tab', { name: 'Preview' }).click()
    await expect(page.getByRole('heading', { level: 2, name: 'First week' })).toBeVisible()
    await expect(page.getByText('<img src=x onerror=alert(1)>')).toBeVisible()
    await review(page, 'newsroom-editor')
    expect(await rss()).not.toContain('Herons open at home')
  })

  await test.step('no article names a child of the team', async () => {
    await page.getByRole('tab', { name: 'Write' }).click()
    await dugout.query(
      `update public.team_members set status = 'active' where user_id = (select id from auth.users where email = 'junior@dugout.test')`,
    )
    const [child] = await dugout.query<{ full_name: string }>(
      `select full_name from public.users where email = 'junior@dugout.test'`,
    )
    await page.getByLabel('Text').fill(`${child?.full_name ?? ''} hit a double.`)
    await page.getByRole('button', { name: 'Publish now' }).click()
    await expect(
      page.getByRole('alert').filter({ hasText: 'is a minor who has not agreed to be public' }),
    ).toBeVisible()
    await page.getByLabel('Text').fill('The first game is on **Friday**.')
    await page.getByRole('switch', { name: 'Comments' }).click()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await expect(toast(page, 'Published')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1, name: 'Herons open at home' })).toBeVisible()
    await review(page, 'newsroom-article')
  })

  const visitor = await (await browser.newContext()).newPage()
  await test.step('a visitor reads it, by list, tag and RSS', async () => {
    await visitor.goto(`${dugout.url}/news-reel?tag=home`)
    await visitor.getByRole('link', { name: 'Herons open at home' }).click()
    await expect(visitor.getByRole('strong')).toHaveText('Friday')
    await expect(visitor.getByRole('img', { name: 'The field at dusk' })).toBeVisible()
    await expect(visitor.getByRole('region', { name: 'Comments' })).toHaveCount(0)
    expect(await rss()).toContain('<title>Herons open at home</title>')
    const page = await (await fetch(visitor.url())).text()
    expect(page).toContain('<title>Herons open at home · Dugout</title>')
  })

  await test.step('a correction says what was wrong', async () => {
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Text').fill('The first game is on **Saturday**.')
    await page.getByRole('button', { name: 'Correct' }).click()
    await page.getByRole('dialog').getByLabel('What was wrong').fill('The day of the first game.')
    await page.getByRole('dialog').getByRole('button', { name: 'Publish the correction' }).click()
    await expect(toast(page, 'Corrected')).toBeVisible()
    await visitor.reload()
    await expect(visitor.getByRole('strong')).toHaveText('Saturday')
    await expect(visitor.getByRole('region', { name: 'Correction' })).toContainText('The day of the first game.')
  })

  await test.step('adults comment, minors neither read nor write comments', async () => {
    await enter(visitor, dugout.url, 'fan')
    await visitor.goto(page.url().replace(/\?.*/, ''))
    const comments = visitor.getByRole('region', { name: 'Comments' })
    await comments.getByLabel('Your comment').fill('See you there.')
    await comments.getByRole('button', { name: 'Send' }).click()
    await expect(comments.getByRole('listitem')).toContainText('See you there.')
    const player = await (await browser.newContext()).newPage()
    await enter(player, dugout.url, 'player')
    await player.goto(visitor.url())
    await expect(player.getByRole('heading', { level: 1, name: 'Herons open at home' })).toBeVisible()
    await expect(player.getByText('See you there.')).toHaveCount(0)
    await player.context().close()
  })

  await test.step('a scheduled article waits, and a withdrawn one is gone', async () => {
    await begin(page, 'Tryouts are coming')
    await page.getByLabel('Text').fill('Bring a glove.')
    await page.getByLabel('Publish at').fill(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 16))
    await page.getByRole('button', { name: 'Schedule' }).click()
    await expect(page.getByRole('button', { name: 'Unschedule' })).toBeVisible()
    await page.goto(`${dugout.url}/news-reel`)
    await expect(page.getByRole('region', { name: 'Not published' })).toContainText('Scheduled for')
    await page.getByRole('link', { name: 'Herons open at home' }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Draft' })).toBeVisible()
    await visitor.reload()
    await expect(visitor.getByRole('heading', { level: 1, name: 'There is no such article' })).toBeVisible()
  })
  await visitor.context().close()
  expect(problems).toEqual([])
})
