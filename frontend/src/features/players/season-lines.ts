import { z } from 'zod'
import { requiredNumber } from '@/lib/fields'
import { decimal, innings, rate } from '@/lib/format'
import type { Database } from '@/types/database'
import type { RecordField } from '@/ui/record-dialog'
import type { Column } from '@/ui/table/data-table'

export type BattingLine = Database['public']['Tables']['batting_lines']['Row']
export type PitchingLine = Database['public']['Tables']['pitching_lines']['Row']

/** The counts of a line in the order of a box score, with the most that the database takes. */
const BATTING = {
  g: 250,
  pa: 1500,
  ab: 1500,
  r: 500,
  h: 1500,
  doubles: 500,
  triples: 500,
  hr: 500,
  rbi: 500,
  bb: 1500,
  so: 1500,
  hbp: 500,
  sf: 500,
  sh: 500,
  sb: 500,
  cs: 500,
}
const PITCHING = {
  g: 250,
  gs: 250,
  w: 250,
  l: 250,
  sv: 250,
  h: 1000,
  r: 1000,
  er: 1000,
  hr: 500,
  bb: 1000,
  so: 2500,
  hbp: 300,
}
const LABELS: Readonly<Record<string, string>> = { doubles: '2B', triples: '3B' }
const label = (name: string) => LABELS[name] ?? name.toUpperCase()

const counts = <Name extends string>(limits: Record<Name, number>) =>
  Object.fromEntries(Object.entries<number>(limits).map(([name, limit]) => [name, requiredNumber(0, limit)])) as Record<
    Name,
    ReturnType<typeof requiredNumber>
  >

const season = {
  season: requiredNumber(1950, 2100),
  team_name: z.string().trim().max(100, 'Please keep it under 100 characters.'),
  league_name: z.string().trim().max(100, 'Please keep it under 100 characters.'),
}

/** What cannot have been is said next to the field that says it. */
export const battingSchema = z.object({ ...season, ...counts(BATTING) }).superRefine((line, context) => {
  const say = (path: keyof typeof BATTING, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  if (line.h + line.so > line.ab) say('ab', 'Hits and strikeouts are at bats: there are more of them.')
  if (line.doubles + line.triples + line.hr > line.h) say('h', 'Doubles, triples and home runs are hits, too.')
  if (line.ab + line.bb + line.hbp + line.sf + line.sh > line.pa) {
    say('pa', 'At bats, walks, hit by pitch and sacrifices are plate appearances: there are more of them.')
  }
})

export const pitchingSchema = z
  .object({
    ...season,
    ...counts(PITCHING),
    innings: z
      .string()
      .trim()
      .regex(/^\d{1,3}(\.[012])?$/, 'Please enter innings such as 45.1: the digit counts outs.'),
  })
  .superRefine((line, context) => {
    const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (line.gs > line.g) say('gs', 'Starts are games: there are more of them.')
    if (line.w + line.l + line.sv > line.g) say('w', 'Wins, losses and saves are games: there are more of them.')
    if (line.er > line.r) say('er', 'Earned runs are runs: there are more of them.')
    if (line.hr > line.h) say('hr', 'Home runs are hits: there are more of them.')
  })
  .transform(({ innings, ...line }) => ({ ...line, outs: outsOf(innings) }))

/** 19 outs are `6.1` innings. */
export function outsOf(innings: string): number {
  const [whole = '0', outs = '0'] = innings.split('.')
  return Number(whole) * 3 + Number(outs)
}

export type BattingValues = z.output<typeof battingSchema>
export type PitchingValues = z.output<typeof pitchingSchema>

const SEASON_FIELDS: readonly RecordField[] = [
  { name: 'season', label: 'Season', type: 'number' },
  { name: 'team_name', label: 'Team', hint: 'optional' },
  { name: 'league_name', label: 'League', hint: 'optional', wide: true },
]
const countFields = (limits: object): RecordField[] =>
  Object.keys(limits).map((name) => ({ name, label: label(name), type: 'number' }))

export const BATTING_FIELDS = [...SEASON_FIELDS, ...countFields(BATTING)]
export const PITCHING_FIELDS: readonly RecordField[] = [
  ...SEASON_FIELDS,
  { name: 'innings', label: 'IP', type: 'number' },
  ...countFields(PITCHING),
]

const zeros = (limits: object) => Object.fromEntries(Object.keys(limits).map((name) => [name, '0']))
const noSeason = () => ({ season: String(new Date().getFullYear()), team_name: '', league_name: '' })
export const newBattingLine = () => ({ ...noSeason(), ...zeros(BATTING) })
export const newPitchingLine = () => ({ ...noSeason(), innings: '0', ...zeros(PITCHING) })

/** A line as its form shows it: what was entered, not what follows from it. */
const texts = (fields: readonly RecordField[], line: Record<string, string | number | null>) =>
  Object.fromEntries(fields.map(({ name }) => [name, String(line[name] ?? '')]))
export const battingTexts = (line: BattingLine) => texts(BATTING_FIELDS, line)
export const pitchingTexts = (line: PitchingLine) => texts(PITCHING_FIELDS, { ...line, innings: innings(line.outs) })

type SeasonColumns = { season: number; team_name: string }
const seasonColumns = <Line extends SeasonColumns>(): Column<Line>[] => [
  { id: 'season', header: 'Season', value: (line) => line.season },
  { id: 'team', header: 'Team', value: (line) => line.team_name },
]
const number = <Line>(id: keyof Line & string, header: string, format?: (value: number | null) => string) => {
  const value = (line: Line) => line[id] as number | null
  return {
    id,
    header,
    value,
    numeric: true,
    format: format && ((line: Line) => format(value(line))),
  } satisfies Column<Line>
}

export const BATTING_COLUMNS: readonly Column<BattingLine>[] = [
  ...seasonColumns<BattingLine>(),
  ...(['g', 'pa', 'ab', 'r', 'h', 'doubles', 'triples', 'hr', 'rbi', 'bb', 'so', 'sb'] as const).map((id) =>
    number<BattingLine>(id, label(id)),
  ),
  ...(['avg', 'obp', 'slg', 'ops'] as const).map((id) => number<BattingLine>(id, label(id), rate)),
]

export const PITCHING_COLUMNS: readonly Column<PitchingLine>[] = [
  ...seasonColumns<PitchingLine>(),
  ...(['g', 'gs', 'w', 'l', 'sv'] as const).map((id) => number<PitchingLine>(id, label(id))),
  number<PitchingLine>('outs', 'IP', innings),
  ...(['h', 'er', 'hr', 'bb', 'so'] as const).map((id) => number<PitchingLine>(id, label(id))),
  ...(['era', 'whip'] as const).map((id) => number<PitchingLine>(id, label(id), decimal)),
]
