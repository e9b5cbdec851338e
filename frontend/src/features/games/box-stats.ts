import type { Batting, GameRecord, Outcome, Pitching, Side } from '@/data/games/model'

/** A number of the box score: what it means, and which plays count in it. */
export type Stat<Row> = {
  short: string
  name: string
  /** What counts, in a sentence or a formula. */
  formula: string
  value: (row: Row) => number
  /** How much of it a play brings; 0 for none. */
  counts: (play: Play, athlete: string | null) => number
  /** What the plays alone do not show. */
  note?: string
}

/** A play with the pitchers who are responsible for the runners that moved, in the order of its moves. */
export type Play = { record: GameRecord; outcome: Outcome; charged: readonly string[] }

const HITS = ['single', 'double', 'triple', 'home_run']
const WALKS = ['walk', 'intentional_walk']
const NO_AT_BAT = [...WALKS, 'hit_by_pitch', 'interference']

/** Nobody in particular means the whole side. */
const is = (id: string, athlete: string | null) => athlete === null || id === athlete
const one = (condition: boolean) => (condition ? 1 : 0)
const ended = ({ outcome }: Play, results: readonly string[]) => results.includes(outcome.turn?.result ?? '')
const atBat = ({ outcome: { turn } }: Play) =>
  turn !== null && !NO_AT_BAT.includes(turn.result) && !turn.sacrificeHit && !turn.sacrificeFly

const bats = (condition: (play: Play) => boolean) => (play: Play, athlete: string | null) =>
  one(is(play.outcome.batter, athlete) && condition(play))
const pitches = (condition: (play: Play) => boolean) => (play: Play, athlete: string | null) =>
  one(is(play.outcome.pitcher, athlete) && condition(play))
const chargedRuns = ({ outcome, charged }: Play, athlete: string | null) =>
  outcome.moves.filter(({ to }, index) => to === 4 && is(charged[index] ?? '', athlete)).length

export const BATTING: readonly Stat<Batting>[] = [
  {
    short: 'AB',
    name: 'At bats',
    formula: 'Plate appearances − walks − hit by pitch − sacrifices − catcher’s interference',
    value: (row) => row.ab,
    counts: bats(atBat),
  },
  {
    short: 'R',
    name: 'Runs',
    formula: 'Times a player reached home',
    value: (row) => row.r,
    counts: ({ outcome }, athlete) => outcome.moves.filter((move) => move.to === 4 && is(move.athlete, athlete)).length,
  },
  {
    short: 'H',
    name: 'Hits',
    formula: 'Singles + doubles + triples + home runs',
    value: (row) => row.h,
    counts: bats((play) => ended(play, HITS)),
  },
  {
    short: 'RBI',
    name: 'Runs batted in',
    formula:
      'Runs that score on the batter’s hit, out, walk or hit by pitch, without an error or a ground-ball double play',
    value: (row) => row.rbi,
    counts: ({ outcome }, athlete) =>
      is(outcome.batter, athlete) ? outcome.moves.filter(({ to, rbi }) => to === 4 && rbi).length : 0,
  },
  {
    short: 'BB',
    name: 'Walks',
    formula: 'Turns at bat that end with four balls, on purpose or not',
    value: (row) => row.bb,
    counts: bats((play) => ended(play, WALKS)),
  },
  {
    short: 'SO',
    name: 'Strikeouts',
    formula: 'Turns at bat that end with three strikes, even if the batter reached first base',
    value: (row) => row.so,
    counts: bats((play) => ended(play, ['strikeout'])),
    note: 'A strikeout counts for the batter who had two strikes, even if a pinch-hitter finished the turn.',
  },
]

export const PITCHING: readonly Stat<Pitching>[] = [
  {
    short: 'IP',
    name: 'Innings pitched',
    formula: 'Outs ÷ 3, with .1 and .2 for one and two outs more',
    value: (row) => row.outs,
    counts: ({ outcome }, athlete) => (is(outcome.pitcher, athlete) ? outcome.outs : 0),
  },
  {
    short: 'H',
    name: 'Hits',
    formula: 'Singles + doubles + triples + home runs of the batters faced',
    value: (row) => row.h,
    counts: pitches((play) => ended(play, HITS)),
  },
  {
    short: 'R',
    name: 'Runs',
    formula: 'Runs of the runners whom the pitcher put on base, whoever pitched when they scored',
    value: (row) => row.r,
    counts: chargedRuns,
  },
  {
    short: 'ER',
    name: 'Earned runs',
    formula: 'Runs − those that would not have scored without errors and passed balls',
    value: (row) => row.er,
    counts: chargedRuns,
    note: 'These are all runs. Whether one is earned follows from the inning, rebuilt without errors and passed balls.',
  },
  {
    short: 'BB',
    name: 'Walks',
    formula: 'Batters who reached first base on four balls',
    value: (row) => row.bb,
    counts: pitches((play) => ended(play, WALKS)),
    note: 'A walk counts for the pitcher who left behind in the count, even if a reliever finished it.',
  },
  {
    short: 'SO',
    name: 'Strikeouts',
    formula: 'Batters who had three strikes',
    value: (row) => row.so,
    counts: pitches((play) => ended(play, ['strikeout'])),
  },
]

/** The plays of the side at bat, each with the pitchers responsible for its runners. */
export function playsOf(records: readonly GameRecord[], batting: Side): Play[] {
  /** The responsible pitcher of the runner on each base. */
  let bases: (string | undefined)[] = []
  let half = ''
  return records.flatMap((record) => {
    const { outcome } = record
    if (!outcome || outcome.batting !== batting) return []
    const now = `${outcome.inning}`
    if (now !== half) bases = []
    half = now
    const charges = chargesOf(record.record, outcome, bases)
    bases = charges.after
    return [{ record, outcome, charged: charges.moved }]
  })
}

/**
 * The pitchers responsible for who moved. A runner who is put out on a batted ball that is no hit leaves the own pitcher to the
 * next runner behind (rule 9.16(g)).
 */
function chargesOf(record: string, { moves, pitcher }: Outcome, before: readonly (string | undefined)[]) {
  const event = record.split(',')[6] ?? ''
  const everyone = [3, 2, 1, 0]
    .map((from) => ({ from, by: from === 0 ? pitcher : before[from], move: moves.find((move) => move.from === from) }))
    .filter(({ from, by, move }) => move !== undefined || (from > 0 && by !== undefined))
  if (/^(\d|E|FC)/.test(event)) {
    everyone.forEach(({ move }, index) => {
      if (move?.to !== null) return
      for (let behind = everyone.length - 1; behind > index; behind -= 1) {
        const [runner, ahead] = [everyone[behind], everyone[behind - 1]]
        if (runner && ahead) runner.by = ahead.by
      }
    })
  }
  const after: (string | undefined)[] = []
  for (const { from, by, move } of everyone) {
    const to = move ? move.to : from
    if (to !== null && to >= 1 && to <= 3) after[to] = by ?? pitcher
  }
  const moved = moves.map(({ from }) => everyone.find((runner) => runner.from === from)?.by ?? pitcher)
  return { after, moved }
}
