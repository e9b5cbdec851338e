import { half, nameOf, type Game, type GameRecord, type Outcome } from '@/data/games/model'
import { words } from '@/features/games/words'
import { rate } from '@/lib/format'

/** A play whose effect on the chance to win is known. */
export type WorthPlay = { record: GameRecord; outcome: Outcome; added: number; home: number }

/** The plays with their worth, in order. */
export function worthPlays(records: readonly GameRecord[]): WorthPlay[] {
  return records.flatMap((record) => {
    const { outcome } = record
    const { added, home } = outcome?.win ?? {}
    return outcome && typeof added === 'number' && typeof home === 'number' ? [{ record, outcome, added, home }] : []
  })
}

/** The play that changed the chance to win the most; null without plays. */
export const biggestPlay = (plays: readonly WorthPlay[]): WorthPlay | null =>
  plays.reduce<WorthPlay | null>(
    (best, play) => (best && Math.abs(best.added) >= Math.abs(play.added) ? best : play),
    null,
  )

export type Star = { athlete: string; added: number }

/** The three players who added the most to their team's chance to win, at bat, on the bases and as pitchers. */
export function stars(plays: readonly WorthPlay[]): Star[] {
  const sums = new Map<string, number>()
  const add = (athlete: string, wins: number) => sums.set(athlete, (sums.get(athlete) ?? 0) + wins)
  for (const { outcome, added } of plays) {
    add(outcome.win?.player ?? outcome.batter, added)
    add(outcome.pitcher, -added)
  }
  return [...sums]
    .map(([athlete, added]) => ({ athlete, added }))
    .filter(({ added }) => added > 0)
    .sort((one, other) => other.added - one.added)
    .slice(0, 3)
}

/** "+.312": wins added have no leading zero, as averages have none. */
export const winsAdded = (added: number) => `${added < 0 ? '−' : '+'}${rate(Math.abs(added))}`

export const percent = (share: number) => `${Math.round(share * 100)}%`

type Recapped = Pick<
  Game,
  'visitor_name' | 'home_name' | 'visitor_runs' | 'home_runs' | 'innings' | 'inning' | 'athletes' | 'home_bats_first'
> &
  Pick<Game, 'lineScores' | 'batters' | 'pitchers'>

/** The game in sentences that hold facts alone. */
export function recap(game: Recapped, records: readonly GameRecord[]): string[] {
  const { visitor_runs, home_runs } = game
  const teams = [game.visitor_name, game.home_name] as const
  const name = (id: string) => nameOf(game.athletes.get(id))
  const said: string[] = []
  const length = game.inning === game.innings ? '' : ` in ${game.inning} inning${game.inning === 1 ? '' : 's'}`
  if (visitor_runs === home_runs) said.push(`${teams[0]} and ${teams[1]} tied ${visitor_runs}–${home_runs}${length}.`)
  else {
    const [winner, loser] = visitor_runs > home_runs ? teams : [teams[1], teams[0]]
    said.push(
      `${winner} beat ${loser} ${Math.max(visitor_runs, home_runs)}–${Math.min(visitor_runs, home_runs)}${length}.`,
    )
  }
  const [visitors, home] = [0, 1].map((side) => game.lineScores.find((line) => line.side === side))
  if (visitors && home) {
    said.push(`${teams[0]} had ${counted(visitors.hits, 'hit')}, ${teams[1]} ${counted(home.hits, 'hit')}.`)
  }
  const homers = game.batters.filter(({ hr }) => hr > 0)
  if (homers.length > 0) {
    const list = homers.map(({ athlete_id, hr }) => (hr > 1 ? `${name(athlete_id)} (${hr})` : name(athlete_id)))
    said.push(`Home runs: ${list.join(', ')}.`)
  }
  const decisions = (['w', 'l', 'sv'] as const).flatMap((key) => {
    const pitcher = game.pitchers.find((row) => row[key] > 0)
    return pitcher
      ? [`${{ w: 'Winning pitcher', l: 'losing pitcher', sv: 'save' }[key]}: ${name(pitcher.athlete_id)}`]
      : []
  })
  if (decisions.length > 0) said.push(`${decisions.join(', ')}.`)
  const biggest = biggestPlay(worthPlays(records))
  if (biggest) said.push(turningPoint(biggest, teams, name, game.home_bats_first))
  return said
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** "Biggest play: Home run, No. 3, Bottom 5. It took the Comets from 31% to 62%." */
export function turningPoint(
  { record, outcome, added, home }: WorthPlay,
  teams: readonly [string, string],
  name: (id: string) => string,
  homeFirst: boolean,
): string {
  const after = outcome.batting === 1 ? home : 1 - home
  const { title } = words(record, name)
  const who = name(outcome.win?.player ?? outcome.batter)
  const when = half(outcome.inning, outcome.batting, homeFirst)
  return `Biggest play: ${title} (${who}, ${when}), which took ${teams[outcome.batting]} from ${percent(after - added)} to ${percent(after)}.`
}
