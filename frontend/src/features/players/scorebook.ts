import type { BookedBatting, BookedPitching, LoggedGame } from '@/data/players/scorebook'
import { innings } from '@/lib/format'

const share = (part: number, whole: number) => (whole > 0 ? part / whole : null)

/** A season at bat with its team's name as in other tables, and with the rates. */
export function battingRow(line: BookedBatting) {
  const { ab, h, bb, hbp, sf, doubles, triples, hr } = line
  const obp = share(h + bb + hbp, ab + bb + hbp + sf)
  const slg = share(h + doubles + 2 * triples + 3 * hr, ab)
  const ops = obp !== null && slg !== null ? obp + slg : null
  return { ...line, team_name: teamWords(line), avg: share(h, ab), obp, slg, ops }
}

export function pitchingRow(line: BookedPitching) {
  const { outs, er, bb, h } = line
  return { ...line, team_name: teamWords(line), era: share(27 * er, outs), whip: share(3 * (bb + h), outs) }
}

const teamWords = ({ team, name }: { team: string; name: string }) => [team, name].filter(Boolean).join(', ')

/** `W 6–4`, from the side of the player. */
export function resultOf({ runs, allowed }: Pick<LoggedGame, 'runs' | 'allowed'>): string {
  return `${runs > allowed ? 'W' : runs < allowed ? 'L' : 'T'} ${runs}–${allowed}`
}

/** `2-4, HR, 2 RBI`: hits, at-bats, and what else counts. */
export function battingWords(line: NonNullable<LoggedGame['batting']>): string {
  const more = [
    [line.hr, 'HR'],
    [line.triples, '3B'],
    [line.doubles, '2B'],
    [line.rbi, 'RBI'],
    [line.r, 'R'],
    [line.bb, 'BB'],
    [line.so, 'SO'],
    [line.sb, 'SB'],
  ] as const
  return [
    `${line.h}-${line.ab}`,
    ...more.filter(([count]) => count > 0).map(([count, name]) => counted(count, name)),
  ].join(', ')
}

/** `5.0 IP, 2 ER, 7 SO, BB, 68 pitches`, then the decision. */
export function pitchingWords(line: NonNullable<LoggedGame['pitching']>): string {
  const decision = line.w > 0 ? 'won' : line.l > 0 ? 'lost' : line.sv > 0 ? 'saved' : null
  return [
    `${innings(line.outs)} IP`,
    `${line.er} ER`,
    line.so > 0 && counted(line.so, 'SO'),
    line.bb > 0 && counted(line.bb, 'BB'),
    line.pitches !== null && `${line.pitches} pitches`,
    decision,
  ]
    .filter(Boolean)
    .join(', ')
}

const counted = (count: number, name: string) => (count === 1 ? name : `${count} ${name}`)
