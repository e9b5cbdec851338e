import { randomUUID } from 'node:crypto'
import { expect, test, type Page } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter } from './page.ts'
import { choose, coach, newScoredGame, score } from './scoring.ts'
import { enterRecord, wholeGame } from './whole-game.ts'

/** Issue 16: a whole game through the page, a third of it without a connection, on two phones of which one dies. */

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ tokenLife: 3600 })
  await dugout.seed()
})
test.afterAll(() => dugout.stop())

const BATTING = 'pa, ab, r, h, doubles, triples, hr, rbi, sb, cs, bb, so, ibb, hbp, sh, sf, gidp'
const PITCHING = 'gs, outs, bfp, h, r, er, hr, bb, so, ibb, wp, hbp, bk, w, l, sv'

/** All lines of a game, ordered by player. */
async function box(game: string) {
  return {
    batting: await dugout.query(
      `select athlete_id, ${BATTING} from public.player_game_batting where game_id = $1 order by athlete_id`,
      [game],
    ),
    pitching: await dugout.query(
      `select athlete_id, ${PITCHING} from public.player_game_pitching where game_id = $1 order by athlete_id`,
      [game],
    ),
    lines: await dugout
      .query('select * from public.line_scores where game_id = $1 order by side', [game])
      .then((rows) =>
        rows.map(({ innings, runs, hits, errors }) => ({
          innings: innings as unknown,
          runs: runs as unknown,
          hits: hits as unknown,
          errors: errors as unknown,
        })),
      ),
  }
}

test('a whole game entered on two phones, partly offline, has the engine’s box score', async ({ browser }) => {
  test.setTimeout(900_000)
  const { entries, records, innings } = wholeGame()
  const names = new Map(entries.map(({ athlete, name }) => [athlete, name]))
  const name = (id: string) => names.get(id) ?? ''
  // The engine's own, from the event file.
  const client = await coach(dugout)
  const direct = await newScoredGame(dugout, { innings, entries, opponent: 'Archive' })
  const plays = records.map((record) => ({ id: randomUUID(), record }))
  await score(client, { game: direct.id, device: randomUUID(), plays, status: 'final', takeover: true })

  const game = await newScoredGame(dugout, { innings, entries })
  const phone = async () => {
    const page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
    await enter(page, dugout.url, 'coach')
    await page.goto(game.scorebook)
    return page
  }
  const saved = (page: Page) => expect(page.getByText('Saved', { exact: true })).toBeVisible({ timeout: 60_000 })
  const [offline, online, dead] = innings === 9 ? [3, 6, 8] : [2, 3, 3]
  let page = await phone()
  await saved(page)
  let inning = 1
  for (const record of records) {
    const next = record.startsWith('play,') ? Number(record.split(',')[1]) : inning
    if (next !== inning && next === offline) await page.context().setOffline(true)
    if (next !== inning && next === online) {
      await expect(page.getByText(/^Offline, \d+ kept$/)).toBeVisible({ timeout: 60_000 })
      await page.context().setOffline(false)
      await saved(page)
    }
    if (next !== inning && next === dead) {
      // The first phone dies without a word; the second one takes over.
      await saved(page)
      await page.context().close()
      page = await phone()
      await choose(page, 'Take over here')
      await saved(page)
    }
    inning = next
    await enterRecord(page, record, name)
  }
  await saved(page)
  await choose(page, 'Make it final')
  await expect(page.getByText('This game is final.')).toBeVisible()
  expect(await box(game.id)).toEqual(await box(direct.id))
})
