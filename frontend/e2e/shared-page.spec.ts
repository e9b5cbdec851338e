import { expect, test } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter } from './page.ts'

/** Issue 10, C9: what a chat shows of a link, which runs no scripts. */

const PLAYER = 'd0600000-0000-4000-8000-000000000007'
const MISSING = 'd0600000-0000-4000-8000-00000000ffff'

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true })
})
test.afterAll(() => dugout.stop())

/** A page as the server sends it. */
async function sent(path: string): Promise<string> {
  const answer = await fetch(dugout.url + path)
  expect(answer.status).toBe(200)
  return answer.text()
}

const page = (id: string) => sent(`/player/${id}`)

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

test('a shared game says who plays and when; one for the team only says nothing', async () => {
  const [game] = await dugout.query<{ id: string; names: string }>(
    `with coach as (
       select m.user_id, m.team_id from public.team_members as m
       join public.coaches as c on c.user_id = m.user_id and c.verified_at is not null
       join public.teams as t on t.id = m.team_id and t.vetted
       where m.role = 'coach' and m.status = 'active' limit 1
     ), acting as (
       select set_config('request.jwt.claims', json_build_object('sub', user_id, 'role', 'authenticated', 'aal', 'aal2')::text, false)
       from coach
     )
     select public.create_game(coach.team_id, 'Bay "Gulls" <b>', true, date '2026-05-09', is_public => true) as id
     from acting, coach`,
  )
  const path = `/games/${game?.id ?? ''}`
  const [names] = await dugout.query<{ visitor_name: string; home_name: string }>(
    'select visitor_name, home_name from public.games where id = $1',
    [game?.id],
  )
  expect(names?.visitor_name).toBe('Bay "Gulls" <b>')
  const title = `Bay &quot;Gulls&quot; &lt;b> at ${names?.home_name ?? ''}`
  const shown = await sent(path)
  expect(shown).toContain(`<title>${title} · Dugout</title>`)
  expect(shown).toContain(`<meta property="og:title" content="${title}" />`)
  expect(shown).toContain('<meta property="og:type" content="website" />')
  expect(shown).toContain('<meta property="og:description" content="May 9, 2026" />')
  expect(shown).toContain(`<meta property="og:url" content="${dugout.url}${path}" />`)

  await dugout.query("update public.games set status = 'final', visitor_runs = 3, home_runs = 4 where id = $1", [
    game?.id,
  ])
  expect(await sent(path)).toContain('<meta property="og:description" content="Final 3–4 · May 9, 2026" />')
  await dugout.query('update public.games set is_public = false where id = $1', [game?.id])
  expect(await sent(path)).toBe(await sent(`/games/${MISSING}`))
})

test('a shared article says its title and summary; a draft says nothing', async () => {
  const [article] = await dugout.query<{ id: string }>(
    `insert into public.articles (title, summary, body, status, published_at)
     values ('Herons hold on', 'A win by one run & a catch.', 'The **end**.', 'published', now()) returning id`,
  )
  const path = `/news-reel/${article?.id ?? ''}`
  const shown = await sent(path)
  expect(shown).toContain('<title>Herons hold on · Dugout</title>')
  expect(shown).toContain('<meta property="og:title" content="Herons hold on" />')
  expect(shown).toContain('<meta property="og:type" content="article" />')
  expect(shown).toContain('<meta property="og:description" content="A win by one run &amp; a catch." />')
  expect(shown).toContain(`<meta property="og:url" content="${dugout.url}${path}" />`)
  await dugout.query("update public.articles set status = 'draft' where id = $1", [article?.id])
  const draft = await sent(path)
  expect(draft).toContain('<title>Dugout</title>')
  expect(draft).not.toContain('og:')
})

// Issue 10, C7.
test('/coach and /scout opened by somebody else are titled by the person', async ({ page }) => {
  const [person] = await dugout.query<{ full_name: string }>(
    "select full_name from public.users where email = 'player@dugout.test'",
  )
  const name = person?.full_name ?? ''
  await enter(page, dugout.url, 'player')
  for (const path of ['/coach', '/scout']) {
    await page.goto(dugout.url + path)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page).toHaveTitle(`${name} · Dugout`)
  }
})
