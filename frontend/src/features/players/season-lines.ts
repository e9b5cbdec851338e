import { decimal, innings, rate } from '@/lib/format'
import type { Database } from '@/types/database'
import type { RecordField } from '@/ui/record-dialog'
import type { Column } from '@/ui/table/data-table'

/** What checks the forms; loaded apart, since screens are drawn without it. */
export const seasonSchemas = () => import('@/features/players/season-schemas')

export type BattingLine = Database['public']['Tables']['batting_lines']['Row']
export type PitchingLine = Database['public']['Tables']['pitching_lines']['Row']

/** The counts of a line in the order of a box score, with the most that the database takes. */
export const BATTING = {
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
export const PITCHING = {
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

/** What the columns show, of lines that players enter and of those of the scorebook. */
export type BattingShown = SeasonColumns &
  Record<'g' | 'pa' | 'ab' | 'r' | 'h' | 'doubles' | 'triples' | 'hr' | 'rbi' | 'bb' | 'so' | 'sb', number> &
  Record<'avg' | 'obp' | 'slg' | 'ops', number | null>
export type PitchingShown = SeasonColumns &
  Record<'g' | 'gs' | 'w' | 'l' | 'sv' | 'outs' | 'h' | 'er' | 'hr' | 'bb' | 'so', number> &
  Record<'era' | 'whip', number | null>

export const BATTING_COLUMNS: readonly Column<BattingShown>[] = [
  ...seasonColumns<BattingShown>(),
  ...(['g', 'pa', 'ab', 'r', 'h', 'doubles', 'triples', 'hr', 'rbi', 'bb', 'so', 'sb'] as const).map((id) =>
    number<BattingShown>(id, label(id)),
  ),
  ...(['avg', 'obp', 'slg', 'ops'] as const).map((id) => number<BattingShown>(id, label(id), rate)),
]

export const PITCHING_COLUMNS: readonly Column<PitchingShown>[] = [
  ...seasonColumns<PitchingShown>(),
  ...(['g', 'gs', 'w', 'l', 'sv'] as const).map((id) => number<PitchingShown>(id, label(id))),
  number<PitchingShown>('outs', 'IP', innings),
  ...(['h', 'er', 'hr', 'bb', 'so'] as const).map((id) => number<PitchingShown>(id, label(id))),
  ...(['era', 'whip'] as const).map((id) => number<PitchingShown>(id, label(id), decimal)),
]
