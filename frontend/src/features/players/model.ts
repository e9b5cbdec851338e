import { decimal, feet, rate, UNKNOWN } from '@/lib/format'
import type { RecordField } from '@/ui/record-dialog'

/** What checks the forms; loaded apart, since screens are drawn without it. */
export const schemas = () => import('@/features/players/schemas')

export const POSITIONS = ['P', 'C', '1B', '2B', '3B', 'SS', 'IF', 'LF', 'CF', 'RF', 'OF', 'DH', 'UT'] as const

const NOT_SAID = ['', 'Not said'] as const
export const PLAYER_FIELDS: readonly RecordField[] = [
  { name: 'positions', label: 'Positions', help: 'The first is the one you are compared by, e.g. SS, 2B' },
  { name: 'jersey', label: 'Jersey', hint: 'optional' },
  { name: 'bats', label: 'Bats', options: [NOT_SAID, ['R', 'Right'], ['L', 'Left'], ['S', 'Switch']] },
  { name: 'throws', label: 'Throws', options: [NOT_SAID, ['R', 'Right'], ['L', 'Left']] },
  { name: 'height_in', label: 'Height in inches', hint: 'optional', type: 'number' },
  { name: 'weight_lb', label: 'Weight in pounds', hint: 'optional', type: 'number' },
  { name: 'grad_year', label: 'Graduation year', hint: 'optional', type: 'number' },
  { name: 'gpa', label: 'GPA', hint: 'optional', type: 'number' },
  { name: 'school', label: 'School', hint: 'optional' },
  { name: 'hometown', label: 'Hometown', hint: 'optional' },
  { name: 'state', label: 'State', hint: 'optional' },
  { name: 'bio', label: 'About you', hint: 'optional', type: 'textarea' },
]

export const COACH_FIELDS: readonly RecordField[] = [
  { name: 'team_name', label: 'Team' },
  { name: 'league', label: 'League' },
  { name: 'years_coaching', label: 'Years coaching', type: 'number' },
  {
    name: 'display_badges',
    label: 'Badges',
    options: [
      ['true', 'Shown'],
      ['false', 'Hidden'],
    ],
  },
  { name: 'years_current_team', label: 'Years with current team', type: 'number' },
  { name: 'months_current_team', label: 'and months', type: 'number' },
  { name: 'years_current_league', label: 'Years with current league', type: 'number' },
  { name: 'months_current_league', label: 'and months', type: 'number' },
  { name: 'certifications', label: 'Certifications', hint: 'optional', help: 'With commas between them', wide: true },
  { name: 'bio', label: 'About you', hint: 'optional', type: 'textarea' },
]

type Coaching = {
  years_coaching: number
  years_current_league: number
  years_current_team: number
  certifications: readonly string[]
}

/** What the years say in a word or two. */
export function badges(coach: Coaching): string[] {
  const { years_coaching, years_current_league, years_current_team, certifications } = coach
  return [
    years_coaching >= 20 ? '20 years of coaching' : years_coaching >= 10 && '10 years of coaching',
    years_current_team >= 5 && '5 years with one team',
    years_current_league >= 5 && '5 years in one league',
    certifications.length > 0 && 'Certified',
  ].filter((badge) => badge !== false)
}

/** "2 years, 3 months" */
export function timeSpan(years: number, months: number): string {
  const parts = [years > 0 && plural(years, 'year'), months > 0 && plural(months, 'month')]
  return parts.filter(Boolean).join(', ') || 'Less than a month'
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

export const SCOUT_FIELDS: readonly RecordField[] = [
  { name: 'org', label: 'Organization', wide: true },
  { name: 'regions', label: 'Regions', hint: 'optional', help: 'With commas between them', wide: true },
  { name: 'bio', label: 'About you', hint: 'optional', type: 'textarea' },
]

export type Kind = { kind: string; label: string; unit: string; minimum: number; maximum: number }

const measuredFields = (kinds: readonly Kind[]): readonly RecordField[] => [
  {
    name: 'kind',
    label: 'What',
    options: [['', 'Choose…'], ...kinds.map(({ kind, label, unit }) => [kind, `${label} (${unit})`] as const)],
    wide: true,
  },
  { name: 'value', label: 'Value', type: 'number' },
  { name: 'taken_at', label: 'When', type: 'date' },
]
const WHERE: RecordField = { name: 'event', label: 'Where', hint: 'optional', wide: true }

export const coachMeasurementFields = (kinds: readonly Kind[]) => [...measuredFields(kinds), WHERE]

export const measurementFields = (kinds: readonly Kind[]): readonly RecordField[] => [
  ...measuredFields(kinds),
  {
    name: 'source',
    label: 'Measured',
    options: [
      ['self', 'By myself'],
      ['device', 'By a device'],
    ],
  },
  {
    name: 'verification_asked',
    label: 'Verification',
    options: [
      ['true', 'Ask my coach'],
      ['false', 'Not now'],
    ],
  },
  WHERE,
]

export const VIDEO_FIELDS: readonly RecordField[] = [
  { name: 'title', label: 'Title', wide: true },
  { name: 'url', label: 'Link', type: 'url', wide: true },
  { name: 'recorded_on', label: 'Recorded', hint: 'optional', type: 'date' },
]

export const COMMITMENT_STATUS = { committed: 'Committed', signed: 'Signed', withdrawn: 'Withdrawn' } as const

export const COMMITMENT_FIELDS: readonly RecordField[] = [
  { name: 'program', label: 'Program', wide: true },
  { name: 'status', label: 'Status', options: Object.entries(COMMITMENT_STATUS) },
  { name: 'committed_on', label: 'Since', type: 'date' },
]

export const SOURCES: Readonly<Record<string, string>> = {
  self: 'Self-reported',
  coach: 'Coach',
  event: 'Event',
  device: 'Device',
  scorebook: 'Scorebook',
}

/** Whether a metric of the percentiles is written as `.285`. */
export const isRate = (metric: string) => ['avg', 'obp', 'slg', 'ops'].includes(metric)

/** A number of the percentiles: `.285`, `3.46`, `94.6`. */
export function numberText({ metric, value }: { metric: string; value: number }): string {
  if (isRate(metric)) return rate(value)
  return ['era', 'whip', 'k9', 'bb9'].includes(metric) ? decimal(value) : String(value)
}

type Facts = { bats: string | null; throws: string | null; height_in: number | null; weight_lb: number | null }

/** A player's build as in a roster: `R/R`, `6′ 2″, 185 lb`. */
export function build({ bats, throws, height_in, weight_lb }: Facts): { hands: string; size: string } {
  const size = [height_in === null ? null : feet(height_in), weight_lb === null ? null : `${weight_lb} lb`]
  return {
    hands: bats || throws ? `${bats ?? UNKNOWN}/${throws ?? UNKNOWN}` : UNKNOWN,
    size: size.filter(Boolean).join(', ') || UNKNOWN,
  }
}

/** Today as a date field has it, by the reader's clock. */
export const today = () => new Date().toLocaleDateString('sv')
