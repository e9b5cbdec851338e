import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { archive, enterPlay, enterSub, type Archive } from './archive.ts'
import { BINARY, Dugout } from './dugout.ts'
import { enter, show, watchConsole } from './page.ts'
import { choose, newScoredGame } from './scoring.ts'

/**
 * Issue 16: nine innings of the major leagues, entered on a phone: the first two pitch by pitch, the others play by play, or all of
 * them pitch by pitch where DUGOUT_TEST_PITCHED is 9 (`make soak`). The connection is lost for three innings, the
 * phone dies with plays that it has not sent, and another one goes on. The box score is what the engine makes of the event file.
 */

/** The innings that are entered pitch by pitch. */
const PITCHED = Number(process.env.DUGOUT_TEST_PITCHED ?? 2)

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true, tokenLife: 3600 })
})
test.afterAll(() => dugout.stop())
test.use({ viewport: { width: 390, height: 844 } })

const saved = (page: Page) => expect(page.getByText('Saved', { exact: true })).toBeVisible({ timeout: 30_000 })

/** The archive's players as guests of both teams; later substitutes sit on the bench. */
async function prepare(game: Archive) {
  const ids = new Map([...game.starters, ...game.subs].map(({ player }) => [player, crypto.randomUUID()]))
  const bench = game.subs.map((sub) => ({ ...sub, order: null, position: null }))
  const entries = [...game.starters, ...bench].map(({ player, name, side, order, position }) => {
    return { athlete: ids.get(player) ?? '', side, order, position, name }
  })
  return { ids, scored: await newScoredGame(dugout, { opponent: 'White Sox', innings: 9, uses_dh: true, entries }) }
}

test('nine innings on two phones, one of which dies, end in the engine’s box score', async ({ page, browser }) => {
  test.setTimeout(PITCHED > 2 ? 600_000 : 300_000)
  const problems = watchConsole(page, 'Failed to load resource', 'WebSocket')
  const game = archive('CLE201606170')
  const { ids, scored } = await prepare(game)
  await enter(page, dugout.url, 'coach')
  await page.goto(scored.scorebook)
  await saved(page)
  const own = (await page.getByRole('heading', { level: 1 }).innerText()).replace('White Sox at ', '')
  const rest = [...game.records]
  /** Enters the records up to the end of an inning, or as many as are wanted. */
  const enterOn = async (on: Page, until: (inning: number, entered: number) => boolean) => {
    for (let entered = 0; rest[0]; entered += 1) {
      const next = rest.find((one) => one.kind === 'play')
      if (!until(next?.inning ?? 0, entered)) return
      const record = rest.shift()
      if (record?.kind === 'play') await enterPlay(on, record, record.inning <= PITCHED)
      else if (record) await enterSub(on, record, ids, record.side === 0 ? 'White Sox' : own)
    }
  }

  const savedPlays = async () => {
    const sql = 'select count(*)::int as plays from public.plays where game_id = $1'
    return (await dugout.query<{ plays: number }>(sql, [scored.id]))[0]?.plays
  }
  const plays = (records: readonly { kind: string }[]) => records.filter(({ kind }) => kind === 'play').length
  /** The page alone may still say that the plays before the last are saved. */
  const allSaved = async (on: Page) => {
    await expect.poll(savedPlays).toBe(plays(game.records) - plays(rest))
    await saved(on)
  }

  await enterOn(page, (inning) => inning <= 2)
  await allSaved(page)

  // Three innings without a connection, with a reload while the server does not answer.
  await page.context().setOffline(true)
  await enterOn(page, (inning) => inning <= 5)
  expect(await savedPlays()).toBe(game.records.filter((one) => one.kind === 'play' && one.inning <= 2).length)
  await page.route('**/functions/v1/score', (route) => route.abort())
  await page.context().setOffline(false)
  await page.reload()
  await expect(page.getByText(/^Offline, \d+ kept$/)).toBeVisible()
  await page.unroute('**/functions/v1/score')
  await saved(page)

  // The phone dies in the sixth inning, with two plays that nobody else has.
  await enterOn(page, (inning, entered) => inning === 6 && entered < 3)
  await allSaved(page)
  await page.context().setOffline(true)
  const unsent = rest.slice(0, 2)
  await enterOn(page, (_, entered) => entered < 2)
  await expect(page.getByText('Offline, 2 kept')).toBeVisible()
  const context = page.context()
  await page.close()

  // Another one takes over, enters those two from memory, and goes on.
  rest.unshift(...unsent)
  const second = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  await enter(second, dugout.url, 'coach')
  await second.goto(scored.scorebook)
  await choose(second, 'Take over here')
  await saved(second)
  await enterOn(second, (inning) => inning <= 8)
  await saved(second)

  // The first phone comes back with its unsent plays, which the book has already.
  await context.setOffline(false)
  const revived = await context.newPage()
  await revived.goto(scored.scorebook)
  await expect(revived.getByText('Another device scores this game.')).toBeVisible()
  await choose(revived, 'Take over here')
  // Both versions are shown: the two plays, and the saved ones from the same place on.
  const conflict = revived.getByRole('dialog', { name: 'Two phones scored this game' })
  await expect(conflict.getByText('The same play')).toHaveCount(2)
  await choose(revived, 'Keep the saved plays')
  await expect(conflict).toHaveCount(0)
  await saved(revived)
  await enterOn(revived, () => true)
  // The walk-off ends the game with nobody out.
  await expect(revived.getByText('The game is over.')).toBeVisible()
  await saved(revived)
  await choose(revived, 'Make it final')
  await expect(revived.getByText('This game is final.')).toBeVisible()
  await revived.goto(scored.page)
  await expect(revived.getByText(`${own} beat White Sox 3–2`, { exact: false })).toBeVisible()
  await show(revived, 'nine-innings')
  expect(problems).toEqual([])

  for (const table of TABLES) expect(await stored(scored.id, table, ids), table.file).toEqual(computed(game, table))
  const lines = await dugout.query<{ runs: number; hits: number; errors: number; innings: number[] }>(
    'select runs, hits, errors, innings from public.line_scores where game_id = $1 order by side',
    [scored.id],
  )
  expect(lines).toEqual([
    { runs: 2, hits: 7, errors: 0, innings: [0, 0, 1, 0, 0, 0, 0, 0, 1] },
    { runs: 3, hits: 8, errors: 0, innings: [1, 0, 0, 0, 0, 0, 0, 1, 1] },
  ])
})

type Table = { file: string; table: string; columns: readonly (readonly [csv: string, column: string])[] }
const same = (names: string) => names.split(' ').map((name) => [name, name.toLowerCase()] as const)
const TABLES: readonly Table[] = [
  {
    file: 'batting.csv',
    table: 'player_game_batting',
    columns: [...same('PA AB R H HR RBI SB CS BB SO IBB HBP SH SF GIDP'), ['2B', 'doubles'], ['3B', 'triples']],
  },
  {
    file: 'pitching.csv',
    table: 'player_game_pitching',
    columns: [...same('W L GS CG SHO SV H ER HR BB SO IBB WP HBP BK BFP R'), ['IPouts', 'outs']],
  },
  { file: 'fielding.csv', table: 'player_game_fielding', columns: [...same('PO A E DP')] },
]

const sorted = (rows: string[]) => rows.sort()

/** The rows of the database, with the archive's names of players. */
async function stored(game: string, { table, columns }: Table, ids: ReadonlyMap<string, string>): Promise<string[]> {
  const names = new Map([...ids].map(([player, id]) => [id, player]))
  const rows = await dugout.query<Record<string, string | number>>(`select * from public.${table} where game_id = $1`, [
    game,
  ])
  const row = (one: Record<string, string | number>) => {
    const cells = columns.map(([csv, column]) => `${csv} ${one[column]}`)
    return [
      names.get(String(one.athlete_id)),
      ...(one.position ? [POSITIONS[Number(one.position)]] : []),
      ...cells,
    ].join(', ')
  }
  return sorted(rows.map(row))
}

/** The box score that `dugout stats replay --computed` makes from the event file. */
function computed({ lines, starters, subs }: Archive, { file, columns }: Table): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'dugout-archive-'))
  try {
    mkdirSync(join(folder, 'in'))
    writeFileSync(join(folder, 'in', '2016CLE.EVA'), lines.join('\r\n') + '\r\n')
    execFileSync(BINARY, ['stats', 'replay', join(folder, 'in'), '--out', join(folder, 'out'), '--computed'])
    const [head = '', ...rows] = readFileSync(join(folder, 'out', file), 'utf8')
      .trim()
      .split(/\r?\n/)
    const at = new Map(head.split(',').map((name, index) => [name, index]))
    const row = (text: string) => {
      const cells = text.split(',')
      const cell = (name: string) => cells[at.get(name) ?? -1]
      const place = cell('POS')
      return [cell('player_id'), ...(place ? [place] : []), ...columns.map(([csv]) => `${csv} ${cell(csv)}`)].join(', ')
    }
    // The archive's table has a line of zeros for pitchers who are in no batting order; the box score has none.
    const order = new Set([...starters, ...subs].filter((one) => one.order > 0).map(({ player }) => player))
    return sorted(rows.filter((text) => file !== 'batting.csv' || order.has(text.split(',')[0] ?? '')).map(row))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As in Lahman's table, which has one outfield. Nobody changes place in the outfield in this game. */
const POSITIONS = ['', 'P', 'C', '1B', '2B', '3B', 'SS', 'OF', 'OF', 'OF']
