import { expect, test } from '@playwright/test'
import { Dugout } from './dugout.ts'

/** Issue 10, C9: what a chat shows of a link, which runs no scripts. */

const PLAYER = 'd0600000-0000-4000-8000-000000000007'
const MISSING = 'd0600000-0000-4000-8000-00000000ffff'

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true })
})
test.afterAll(() => dugout.stop())

/** The page of a profile as the server sends it. */
async function page(id: string): Promise<string> {
  const answer = await fetch(`${dugout.url}/player/${id}`)
  expect(answer.status).toBe(200)
  return answer.text()
}

test('a shared profile says whose it is; a hidden, suspended or missing one says nothing, and all of them the same', async () => {
  const [person] = await dugout.query<{ full_name: string }>('select full_name from public.users where id = $1', [
    PLAYER,
  ])
  const name = person?.full_name ?? ''
  const shown = await page(PLAYER)
  expect(shown).toContain(`<title>${name} · Dugout</title>`)
  expect(shown).toContain(`<meta property="og:title" content="${name}" />`)
  expect(shown).toMatch(/<meta property="og:description" content="Player · .*Class of \d{4}" \/>/)
  expect(shown).toContain(`<meta property="og:url" content="${dugout.url}/player/${PLAYER}" />`)

  const missing = await page(MISSING)
  expect(missing).toContain('<title>Dugout</title>')
  expect(missing).not.toContain('og:')
  expect(await page('nonsense')).toBe(missing)
  await dugout.query('update public.users set public_profile = false where id = $1', [PLAYER])
  expect(await page(PLAYER)).toBe(missing)
  await dugout.query('update public.users set public_profile = true where id = $1', [PLAYER])
  // Under 13 and without a guardian.
  await dugout.query(
    "update public.birth_dates set birth_date = current_date - interval '12 years' where user_id = $1",
    [PLAYER],
  )
  await dugout.query('delete from public.guardianships where ward_id = $1', [PLAYER])
  expect(await page(PLAYER)).toBe(missing)
})

test('a name is text, whatever is in it', async () => {
  const [person] = await dugout.query<{ id: string }>(
    `update public.users set full_name = '"><script>alert(1)</script>' where id in (
       select id from public.profiles where public_profile and shown_from <= current_date and role = 'player' and id <> $1 limit 1)
     returning id`,
    [PLAYER],
  )
  const html = await page(person?.id ?? '')
  expect(html).not.toContain('<script>alert')
  expect(html).toContain('&lt;script>alert(1)&lt;/script>')
})
