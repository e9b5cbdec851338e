import { z } from 'zod'
import { list, optionalNumber, optionalText, pastDay, requiredNumber, requiredText } from '@/lib/fields'
import { feet, UNKNOWN } from '@/lib/format'
import type { RecordField } from '@/ui/record-dialog'

export const POSITIONS = ['P', 'C', '1B', '2B', '3B', 'SS', 'IF', 'LF', 'CF', 'RF', 'OF', 'DH', 'UT'] as const

const NOT_SAID = ['', 'Not said'] as const
const side = (letters: readonly string[]) =>
  z.string().transform((letter) => (letters.includes(letter) ? letter : null))

export const playerSchema = z.object({
  positions: list(2).pipe(
    z.array(z.enum(POSITIONS, `Please use ${POSITIONS.join(', ')}.`)).max(4, 'Four positions are enough.'),
  ),
  jersey: z
    .string()
    .trim()
    .regex(/^\d{0,2}$/, 'Please enter one or two digits.')
    .transform((text) => text || null),
  bats: side(['L', 'R', 'S']),
  throws: side(['L', 'R']),
  height_in: optionalNumber(36, 96, false),
  weight_lb: optionalNumber(40, 400),
  grad_year: optionalNumber(1950, 2100),
  gpa: optionalNumber(0, 5, false),
  school: optionalText(120),
  hometown: optionalText(100),
  state: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^([A-Z]{2})?$/, 'Please enter two letters, such as TX.')
    .transform((text) => text || null),
  bio: optionalText(2000),
})

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

export type PlayerValues = z.output<typeof playerSchema>

export const coachSchema = z.object({
  team_name: requiredText(120, 'Team name is required'),
  league: requiredText(120, 'League is required'),
  years_coaching: requiredNumber(0, 49),
  years_current_team: requiredNumber(0, 49),
  months_current_team: requiredNumber(0, 11),
  years_current_league: requiredNumber(0, 49),
  months_current_league: requiredNumber(0, 11),
  display_badges: z.enum(['true', 'false']).transform((word) => word === 'true'),
  certifications: list(100),
  bio: optionalText(2000),
})

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

export type CoachValues = z.output<typeof coachSchema>

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

export const scoutSchema = z.object({
  org: requiredText(120, 'Organization is required'),
  regions: list(60),
  bio: optionalText(2000),
})

export const SCOUT_FIELDS: readonly RecordField[] = [
  { name: 'org', label: 'Organization', wide: true },
  { name: 'regions', label: 'Regions', hint: 'optional', help: 'With commas between them', wide: true },
  { name: 'bio', label: 'About you', hint: 'optional', type: 'textarea' },
]

export type ScoutValues = z.output<typeof scoutSchema>

export type Kind = { kind: string; label: string; unit: string; minimum: number; maximum: number }

const measured = {
  kind: z.string().min(1, 'Please choose what was measured.'),
  value: requiredNumber(0, 10_000, false),
  taken_at: pastDay,
  event: optionalText(120),
}

/** What is outside of what is possible for its kind was mistyped. */
const within =
  (kinds: readonly Kind[]) =>
  ({ kind, value }: { kind: string; value: number }, context: z.RefinementCtx) => {
    const known = kinds.find((one) => one.kind === kind)
    if (!known || (value >= known.minimum && value <= known.maximum)) return
    const message = `${known.label} is between ${known.minimum} and ${known.maximum} ${known.unit}.`
    context.addIssue({ code: 'custom', path: ['value'], message })
  }

/** A measurement of one of the kinds there are, as players enter it. */
export const measurementSchema = (kinds: readonly Kind[]) =>
  z
    .object({
      ...measured,
      source: z.enum(['self', 'device']),
      verification_asked: z.enum(['true', 'false']).transform((word) => word === 'true'),
    })
    .superRefine(within(kinds))

/** The same by a coach, whose word is the verification. */
export const coachMeasurementSchema = (kinds: readonly Kind[]) => z.object(measured).superRefine(within(kinds))

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

export type MeasurementValues = z.output<ReturnType<typeof measurementSchema>>
export type CoachMeasurementValues = z.output<ReturnType<typeof coachMeasurementSchema>>

/** A name with a top-level domain, as the database checks it; ports are left to `URL.canParse`. */
const LINK =
  /^https:\/\/([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9](:[1-9]\d{0,4})?(\/[^\s<>"]*)?$/

export const videoSchema = z.object({
  title: requiredText(120, 'Please give it a title.'),
  url: z
    .string()
    .trim()
    .max(500, 'That link is too long.')
    .regex(LINK, 'Please enter a link that begins with https://')
    .refine((url) => URL.canParse(url), 'No browser can open that link.'),
  recorded_on: z.union([z.literal('').transform(() => null), pastDay]),
})

export const VIDEO_FIELDS: readonly RecordField[] = [
  { name: 'title', label: 'Title', wide: true },
  { name: 'url', label: 'Link', type: 'url', wide: true },
  { name: 'recorded_on', label: 'Recorded', hint: 'optional', type: 'date' },
]

export type VideoValues = z.output<typeof videoSchema>

export const commitmentSchema = z.object({
  program: requiredText(120, 'Please name the program.').refine((text) => text.length >= 2, 'Please name the program.'),
  status: z.enum(['committed', 'signed', 'withdrawn']),
  committed_on: pastDay,
})

export const COMMITMENT_STATUS = { committed: 'Committed', signed: 'Signed', withdrawn: 'Withdrawn' } as const

export const COMMITMENT_FIELDS: readonly RecordField[] = [
  { name: 'program', label: 'Program', wide: true },
  { name: 'status', label: 'Status', options: Object.entries(COMMITMENT_STATUS) },
  { name: 'committed_on', label: 'Since', type: 'date' },
]

export type CommitmentValues = z.output<typeof commitmentSchema>

export const SOURCES: Readonly<Record<string, string>> = {
  self: 'Self-reported',
  coach: 'Coach',
  event: 'Event',
  device: 'Device',
  scorebook: 'Scorebook',
}

/** Whether a metric of the percentiles is written as `.285`. */
export const isRate = (metric: string) => ['avg', 'obp', 'slg', 'ops'].includes(metric)

/** "1st", "22nd", "93rd", "11th". */
export function ordinal(number: number): string {
  const rounded = Math.round(number)
  const teens = rounded % 100 > 10 && rounded % 100 < 14
  return `${rounded}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][rounded % 10] ?? 'th')}`
}

type Facts = { bats: string | null; throws: string | null; height_in: number | null; weight_lb: number | null }

/** What a roster says of somebody: `R/R`, `6′ 2″, 185 lb`. */
export function build({ bats, throws, height_in, weight_lb }: Facts): { hands: string; size: string } {
  const size = [height_in === null ? null : feet(height_in), weight_lb === null ? null : `${weight_lb} lb`]
  return {
    hands: bats || throws ? `${bats ?? UNKNOWN}/${throws ?? UNKNOWN}` : UNKNOWN,
    size: size.filter(Boolean).join(', ') || UNKNOWN,
  }
}

/** Today as a date field has it, by the reader's clock. */
export const today = () => new Date().toLocaleDateString('sv')
