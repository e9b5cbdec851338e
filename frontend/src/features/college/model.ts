import { STATUSES, type Board, type Level, type Program, type Status, type Target } from '@/data/college/model'
import { decimal, rate } from '@/lib/format'
import { ordinal } from '@/lib/ordinal'
import type { RecordField } from '@/ui/record-dialog'

/** What checks the forms; loaded apart, since screens are drawn without it. */
export const schemas = () => import('@/features/college/schemas')

export const TABS = ['board', 'programs', 'tasks'] as const
export type Tab = (typeof TABS)[number]

export const STATUS_NAMES: Readonly<Record<Status, string>> = {
  interested: 'Interested',
  contacted: 'Contacted',
  in_touch: 'In touch',
  visit: 'Visit',
  offer: 'Offer',
}

export const isStatus = (text: string): text is Status => STATUSES.some((status) => status === text)

/** What a player asks about: the range of the slider, and how it is written. */
export const SCALES = {
  hitter: {
    stat: 'woba',
    label: 'wOBA',
    least: 0.22,
    most: 0.46,
    step: 0.005,
    start: 0.33,
    format: (x: number) => rate(x),
  },
  pitcher: {
    stat: 'k_bb_rate',
    label: 'K-BB%',
    least: -0.05,
    most: 0.25,
    step: 0.005,
    start: 0.08,
    format: (x: number) => `${decimal(100 * x, 1)}%`,
  },
} as const

export const scaleOf = (board: Pick<Board, 'pitcher'>) => SCALES[board.pitcher ? 'pitcher' : 'hitter']

export const levelsOf = (board: Pick<Board, 'pitcher'>, levels: readonly Level[]) =>
  levels.filter(({ role, stat }) => role === (board.pitcher ? 'pitcher' : 'hitter') && stat === scaleOf(board).stat)

/** The percentile of a value, from the 5th, 10th, … 95th; beyond them `1` to `4` and `96` to `99`. */
export function percentileOf(value: number, quantiles: readonly number[]): number {
  const above = quantiles.findIndex((quantile) => quantile > value)
  const last = quantiles.length - 1
  const [first, second] = [quantiles[0] ?? 0, quantiles[1] ?? 1]
  if (above === 0) return Math.max(1, Math.round(5 - (5 * (first - value)) / (second - first)))
  if (above < 0) {
    const [before, end] = [quantiles[last - 1] ?? 0, quantiles[last] ?? 1]
    return Math.min(99, Math.round(95 + (5 * (value - end)) / (end - before)))
  }
  const [low, high] = [quantiles[above - 1] ?? 0, quantiles[above] ?? 1]
  return Math.round(5 * above + (5 * (value - low)) / (high - low))
}

export type Fit = { band: 'Reach' | 'Match' | 'Likely'; percentile: number; level: Level }

/** Where a what-if level lies among the freshmen of a program's group; null where no data say. */
export function fitOf(board: Board, program: Program, levels: readonly Level[]): Fit | null {
  const { rpi_rank: rank } = program
  if (board.whatIf === null || rank === null) return null
  const level = levelsOf(board, levels).find(
    ({ first_rank, last_rank }) => rank >= first_rank && rank <= (last_rank ?? Infinity),
  )
  if (!level) return null
  const percentile = percentileOf(board.whatIf, level.quantiles)
  return { band: percentile < 25 ? 'Reach' : percentile > 75 ? 'Likely' : 'Match', percentile, level }
}

/** `Rank 1–50`, `Rank 151 and lower` */
export const levelName = ({ first_rank, last_rank }: Pick<Level, 'first_rank' | 'last_rank'>) =>
  last_rank === null ? `Rank ${first_rank} and lower` : `Rank ${first_rank}–${last_rank}`

/** Why a program is in its band, and what else is known of it; only facts. */
export function reasons(board: Board, program: Program, levels: readonly Level[]): string[] {
  const fit = fitOf(board, program, levels)
  const { format, label } = scaleOf(board)
  const level =
    program.rpi_rank === null
      ? null
      : (fit?.level ??
        levelsOf(board, levels).find(
          ({ first_rank, last_rank }) =>
            (program.rpi_rank ?? 0) >= first_rank && (program.rpi_rank ?? 0) <= (last_rank ?? Infinity),
        ))
  const work = board.pitcher ? '15 innings or more' : '50 plate appearances or more'
  return [
    fit &&
      `${label} ${format(board.whatIf ?? 0)} would be the ${ordinal(fit.percentile)} percentile of ${fit.level.n} freshmen at programs of ${levelName(fit.level).toLowerCase()}.`,
    program.division !== 1 && 'No numbers of players for this division.',
    level && `Such a program has ${decimal(level.per_team, 1)} freshmen a season with ${work}, on average.`,
    program.roster_size !== null && `Roster of ${program.roster_size}.`,
    program.budget_percentile !== null && `A larger budget than ${program.budget_percentile}% of all programs.`,
    board.state !== null &&
      program.state !== null &&
      (board.state === program.state ? 'In your state.' : 'Out of your state.'),
  ].filter((reason) => typeof reason === 'string')
}

export type ProgramFilters = { text: string; division: string; state: string; rank: string }

/** Programs that meet all filters, in their order. */
export function findPrograms(programs: readonly Program[], { text, division, state, rank }: ProgramFilters): Program[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const [from, to] = rank.split('-').map(Number)
  return programs.filter((program) => {
    const names = `${program.name} ${program.institution ?? ''} ${program.conference}`.toLowerCase()
    return (
      (division === '' || program.division === Number(division)) &&
      (state === '' || program.state === state) &&
      (rank === '' ||
        (program.rpi_rank !== null && program.rpi_rank >= (from ?? 0) && program.rpi_rank <= (to ?? 0))) &&
      words.every((word) => names.includes(word))
    )
  })
}

/** `D1 · ACC · CA · RPI 110` */
export const programFacts = ({ division, conference, state, rpi_rank }: Program) =>
  [`D${division}`, conference, state, rpi_rank !== null && `RPI ${rpi_rank}`].filter(Boolean).join(' · ')

/** The grade of a class today; a school year ends in June. Null outside of high school. */
export function gradeOf(gradYear: number | null, today = new Date()): number | null {
  if (gradYear === null) return null
  const ends = today.getFullYear() + (today.getMonth() >= 6 ? 1 : 0)
  const grade = 12 - (gradYear - ends)
  return grade >= 9 && grade <= 12 ? grade : null
}

export const GRADES = [9, 10, 11, 12] as const

export const USUAL_TASKS: readonly { grade: number; title: string }[] = [
  { grade: 9, title: 'List ten programs that interest you' },
  { grade: 9, title: 'Ask the counselor which courses count as NCAA core courses' },
  { grade: 9, title: 'Get a first verified measurement' },
  { grade: 10, title: 'Add a video of a game or a practice' },
  { grade: 10, title: 'Get two verified 60-yard times' },
  { grade: 10, title: 'Visit a campus nearby' },
  { grade: 11, title: 'Register with the NCAA Eligibility Center' },
  { grade: 11, title: 'Put the transcript on file' },
  { grade: 11, title: 'Email ten programs' },
  { grade: 11, title: 'Go to a camp of a program on the board' },
  { grade: 12, title: 'Apply for admission' },
  { grade: 12, title: 'Apply for financial aid' },
  { grade: 12, title: 'Answer every open offer' },
  { grade: 12, title: 'Send the final transcript' },
]

/** What is next on a card, and whether it is late. A reply to an offer comes before everything else. */
export function nextOf(target: Target, today: string): { text: string; on: string | null; late: boolean } | null {
  const { status, reply_by, next_step, next_on, visit_on, visit_kind } = target
  if (status === 'offer' && reply_by !== null) return { text: 'Answer the offer', on: reply_by, late: reply_by < today }
  if (next_step !== null) return { text: next_step, on: next_on, late: next_on !== null && next_on < today }
  if (visit_on !== null && visit_on >= today)
    return { text: VISITS[visit_kind ?? ''] ?? 'Visit', on: visit_on, late: false }
  return null
}

export const VISITS: Readonly<Record<string, string>> = {
  official: 'Official visit',
  unofficial: 'Unofficial visit',
  camp: 'Camp',
}

export const CONTACT_KINDS: readonly (readonly [string, string])[] = [
  ['email', 'Email'],
  ['call', 'Call'],
  ['text', 'Text message'],
  ['letter', 'Letter'],
  ['visit', 'Visit'],
  ['camp', 'Camp'],
]

export const CONTACT_FIELDS: readonly RecordField[] = [
  { name: 'kind', label: 'What', options: CONTACT_KINDS },
  {
    name: 'received',
    label: 'Who',
    options: [
      ['false', 'You wrote or called'],
      ['true', 'The college did'],
    ],
  },
  { name: 'happened_on', label: 'When', type: 'date' },
  { name: 'person', label: 'With whom', hint: 'optional' },
  { name: 'body', label: 'Notes', hint: 'optional', type: 'textarea' },
]

export const TARGET_FIELDS: readonly RecordField[] = [
  { name: 'next_step', label: 'Next step', hint: 'optional' },
  { name: 'next_on', label: 'By', hint: 'optional', type: 'date' },
  { name: 'visit_kind', label: 'Visit', options: [['', 'None'], ...Object.entries(VISITS)] },
  { name: 'visit_on', label: 'On', hint: 'optional', type: 'date' },
  { name: 'offer', label: 'Offer', hint: 'optional', help: 'Its terms, as the college wrote them' },
  { name: 'reply_by', label: 'Answer by', hint: 'optional', type: 'date' },
  { name: 'notes', label: 'Notes', hint: 'optional', type: 'textarea' },
]

/** The teams are those in which the player plays. */
export const commitFields = (teams: readonly { id: string; name: string }[]): readonly RecordField[] => [
  {
    name: 'status',
    label: 'What',
    options: [
      ['committed', 'Committed'],
      ['signed', 'Signed'],
    ],
  },
  { name: 'committed_on', label: 'On', type: 'date' },
  {
    name: 'audience',
    label: 'Announce it to',
    wide: true,
    options: [
      ['nobody', 'Nobody: show it on the profile only'],
      ...teams.map(({ id, name }) => [`team:${id}`, `Team: ${name}`] as const),
      ['followers', 'Followers'],
      ['public', 'Everybody'],
    ],
  },
]

export const TASK_FIELDS: readonly RecordField[] = [
  { name: 'title', label: 'Task', wide: true },
  {
    name: 'grade',
    label: 'By the end of grade',
    options: GRADES.map((grade) => [String(grade), String(grade)] as const),
  },
  { name: 'due_on', label: 'Due', hint: 'optional', type: 'date' },
]

export const PERIODS: Readonly<Record<string, string>> = {
  contact: 'Contact period',
  evaluation: 'Evaluation period',
  quiet: 'Quiet period',
  dead: 'Dead period',
}

export const PERIOD_FIELDS: readonly RecordField[] = [
  {
    name: 'division',
    label: 'Division',
    options: [
      ['1', '1'],
      ['2', '2'],
      ['3', '3'],
    ],
  },
  { name: 'kind', label: 'What', options: Object.entries(PERIODS) },
  { name: 'starts_on', label: 'From', type: 'date' },
  { name: 'ends_on', label: 'To', type: 'date' },
  { name: 'source', label: 'Source', help: 'For example the title of the NCAA calendar' },
  { name: 'checked_on', label: 'Checked on', type: 'date' },
]

export const today = () => new Date().toLocaleDateString('sv')
