import { describe, expect, it } from 'vitest'
import type { Athlete, GameRecord, Outcome, Side } from '@/data/games/model'
import { playTable } from '@/features/games/files'
import { biggestPlay, recap, stars, turningPoint, winsAdded, worthPlays } from '@/features/games/story'

const athlete = (id: string, side: Side): [string, Athlete] => [
  id,
  { id, side, jersey: null, initial: '', full_name: `=${id.toUpperCase()}`, user_id: null, order: 1, position: 2 },
]

function play(id: string, event: string, batting: Side, added: number | null, home: number): GameRecord {
  const outcome: Outcome = {
    inning: 5,
    batting,
    batter: batting === 0 ? 'vic' : 'hal',
    pitcher: batting === 0 ? 'pia' : 'val',
    turn: {
      result: event.startsWith('HR') ? 'home_run' : 'out',
      sacrificeHit: false,
      sacrificeFly: false,
      doublePlay: false,
    },
    outsBefore: 0,
    outs: event.startsWith('HR') ? 0 : 1,
    multiplePlay: false,
    bases: [null, null, null],
    score: [0, 1],
    runs: 0,
    moves: [],
    win: { player: batting === 0 ? 'vic' : 'hal', added, home, leverage: 1 },
  }
  return { id, record: `play,5,${batting},x,??,,${event}`, outcome }
}

const PLAYS = [
  play('1', '8/F', 0, -0.03, 0.53),
  play('2', 'HR/F7', 1, 0.2, 0.73),
  play('3', '8/F', 1, null, 0.7),
  play('4', '8/F', 0, -0.05, 0.78),
  { id: '5', record: 'sub,x,"",0,1,1', outcome: null },
]

const row = { side: 0, hr: 0, pa: 4 }
const GAME = {
  visitor_name: 'Gulls',
  home_name: 'Owls',
  visitor_runs: 0,
  home_runs: 1,
  innings: 7,
  inning: 8,
  home_bats_first: false,
  athletes: new Map([athlete('vic', 0), athlete('hal', 1), athlete('pia', 1), athlete('val', 0)]),
  lineScores: [
    { side: 0, hits: 1 },
    { side: 1, hits: 2 },
  ],
  batters: [row, { ...row, athlete_id: 'hal', hr: 1 }],
  pitchers: [
    { athlete_id: 'pia', w: 1, l: 0, sv: 0 },
    { athlete_id: 'val', w: 0, l: 1, sv: 0 },
  ],
} as unknown as Parameters<typeof recap>[0] & Parameters<typeof playTable>[0]

describe('the story of a game', () => {
  const known = worthPlays(PLAYS)

  it('leaves out plays of unknown worth', () => {
    expect(known.map(({ record }) => record.id)).toEqual(['1', '2', '4'])
    expect(biggestPlay(known)?.record.id).toBe('2')
    expect(biggestPlay([])).toBeNull()
  })

  it('gives stars for what players add, at bat and as pitchers', () => {
    const [first, second, ...others] = stars(known)
    expect(first).toEqual({ athlete: 'hal', added: 0.2 })
    expect(second?.athlete).toBe('pia')
    expect(second?.added).toBeCloseTo(0.08)
    expect(others).toEqual([])
    expect(winsAdded(0.2)).toBe('+.200')
    expect(winsAdded(-0.0514)).toBe('−.051')
  })

  it('tells the biggest play from the side of the team at bat', () => {
    const name = (id: string) => id
    const [homer] = known.slice(1)
    if (!homer) throw new Error('no play')
    expect(turningPoint(homer, ['Gulls', 'Owls'], name, false)).toBe(
      'Biggest play: Home run to left (hal, Bottom 5), which took Owls from 53% to 73%.',
    )
  })

  it('recaps facts alone', () => {
    expect(recap(GAME, PLAYS).slice(0, 4)).toEqual([
      'Owls beat Gulls 1–0 in 8 innings.',
      'Gulls had 1 hit, Owls 2 hits.',
      'Home runs: =HAL.',
      'Winning pitcher: =PIA, losing pitcher: =VAL.',
    ])
  })

  it('writes no formulas into tables', () => {
    const [head, first] = playTable(GAME, PLAYS).split('\r\n')
    expect(head).toMatch(/^inning,batter,/)
    expect(first).toBe("Top 5,'=VIC,'=PIA,8/F,Fly out to center,1,0,0,1,0.53")
  })
})
