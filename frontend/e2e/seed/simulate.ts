/**
 * Plays an invented game, half-inning by half-inning, and writes it down as a scorer would: one record of Retrosheet's notation
 * a line. What follows from the records is for the function `score` to compute.
 */

export type Team = {
  /** Ids of the nine in batting order. */
  order: readonly string[]
  /** The starter's id, who is one of the nine, and the one who takes his place. */
  starter: string
  reliever: string
}

/** Evenly from 0 up to 1, the same for the same seed (mulberry32). */
export function chances(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const INNINGS = 7
/** The inning before which each starter is relieved. */
const RELIEF = 5

type State = { bases: [boolean, boolean, boolean]; outs: number; score: [number, number] }

/** The records of a game that somebody wins in seven innings; undefined for other games. */
export function simulate(teams: readonly [Team, Team], seed: number): string[] | undefined {
  const chance = chances(seed)
  const records: string[] = []
  const orders = teams.map(({ order }) => [...order]) as [string[], string[]]
  const next: [number, number] = [0, 0]
  const score: [number, number] = [0, 0]
  for (let inning = 1; inning <= INNINGS; inning += 1) {
    for (const side of [0, 1] as const) {
      if (inning === INNINGS && side === 1 && score[1] > score[0]) return records
      if (inning === RELIEF) records.push(relief(teams[side === 0 ? 1 : 0], side === 0 ? 1 : 0, orders))
      const state: State = { bases: [false, false, false], outs: 0, score }
      while (state.outs < 3) {
        const batter = orders[side][next[side] % 9] ?? ''
        next[side] += 1
        const [event, count, pitches] = turn(state, side, chance)
        records.push(`play,${inning},${side},${batter},${count},${pitches},${event}`)
        // Discards games that end in a walk-off.
        if (inning === INNINGS && side === 1 && score[1] > score[0]) return undefined
      }
    }
  }
  return score[0] > score[1] ? records : undefined
}

function relief(team: Team, side: 0 | 1, orders: [string[], string[]]): string {
  const place = orders[side].indexOf(team.starter)
  orders[side][place] = team.reliever
  return `sub,${team.reliever},"",${side},${place + 1},1`
}

const GROUNDERS = ['63/G', '43/G', '53/G', '13/G', '3/G']
const FLIES = ['7/F', '8/F', '9/F', '6/P', '4/P']

type Outcome = readonly [event: string, last: string]

/** One turn at bat: its event, the count before the last pitch, and the pitches. */
function turn(state: State, side: 0 | 1, chance: () => number): [event: string, count: string, pitches: string] {
  const draw = chance()
  const [event, last] = outcome(state, side, draw, chance)
  if (event === 'W' || event.startsWith('W.')) return [event, ...thrown(3, Math.floor(chance() * 3), 'B', chance)]
  if (event === 'K') return [event, ...thrown(Math.floor(chance() * 4), 2, chance() < 0.3 ? 'C' : 'S', chance)]
  return [event, ...thrown(Math.floor(chance() * 3.4), Math.floor(chance() * 2.7), last, chance)]
}

/** So many balls and strikes in any order, and the last pitch. */
function thrown(balls: number, strikes: number, last: string, chance: () => number): [count: string, pitches: string] {
  let [letters, b, s] = ['', balls, strikes]
  while (b + s > 0) {
    if (chance() < b / (b + s)) [letters, b] = [letters + 'B', b - 1]
    else [letters, s] = [letters + ('CSF'[Math.floor(chance() * 3)] ?? 'C'), s - 1]
  }
  return [`${balls}${strikes}`, letters + last]
}

function outcome(state: State, side: 0 | 1, draw: number, chance: () => number): Outcome {
  const { bases } = state
  const field = (list: readonly string[]) => list[Math.floor(chance() * list.length)] ?? ''
  if (draw < 0.2) return out(state, 'K', 'S')
  if (draw < 0.3) return [`W${walked(state, side)}`, 'B']
  if (draw < 0.31) return [`HP${walked(state, side)}`, 'H']
  if (draw < 0.45) return advance(state, side, `S${field(['7', '8', '9'])}/L`, 1)
  if (draw < 0.5) return advance(state, side, `D${field(['7', '8', '9'])}/L`, 2)
  if (draw < 0.508) return advance(state, side, 'T9/L', 3)
  if (draw < 0.52) return advance(state, side, `HR/${field(['7', '8', '9'])}/F`, 4)
  if (draw < 0.54) return advance(state, side, `E${field(['4', '5', '6'])}/G`, 1)
  if (draw < 0.77) {
    if (bases[0] && !bases[1] && !bases[2] && state.outs < 2 && chance() < 0.5) {
      state.outs += 2
      state.bases = [false, false, false]
      return ['64(1)3/GDP/G', 'X']
    }
    return out(state, field(GROUNDERS), 'X')
  }
  if (bases[2] && state.outs < 2 && chance() < 0.6) {
    state.bases = [bases[0], bases[1], false]
    state.score[side] += 1
    state.outs += 1
    return ['8/F/SF.3-H', 'X']
  }
  return out(state, field(FLIES), 'X')
}

/** Only the batter is out, and no runner moves. */
function out(state: State, event: string, last: string): Outcome {
  state.outs += 1
  return [event, last]
}

/** Forced runners move one base. */
function walked(state: State, side: 0 | 1): string {
  const [first, second, third] = state.bases
  const moves: string[] = []
  if (first && second && third) {
    moves.push('3-H')
    state.score[side] += 1
  }
  if (first && second) moves.push('2-3')
  if (first) moves.push('1-2')
  state.bases = [true, second || first, third || (first && second)]
  return moves.length > 0 ? `.${moves.join(';')}` : ''
}

/** Everybody moves as many bases as the batter, and runners from second score on a single. */
function advance(state: State, side: 0 | 1, event: string, batter: 1 | 2 | 3 | 4): Outcome {
  const [first, second, third] = state.bases
  const moves: string[] = []
  const runs = batter === 4 ? 1 : 0
  let scored = runs
  const error = event.startsWith('E')
  const home = error ? '-H(UR)' : '-H'
  if (third) [scored] = [scored + 1, moves.push(`3${home}`)]
  if (second) [scored] = [scored + 1, moves.push(`2${home}`)]
  const to = 1 + batter
  if (first) {
    moves.push(to >= 4 ? `1${home}` : `1-${to}`)
    if (to >= 4) scored += 1
  }
  state.bases = [batter === 1, (first && to === 2) || batter === 2, (first && to === 3) || batter === 3]
  state.score[side] += scored
  return [moves.length > 0 ? `${event}.${moves.join(';')}` : event, 'X']
}
