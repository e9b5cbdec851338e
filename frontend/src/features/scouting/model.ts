import type { Json } from '@/types/database'
import type { Compared } from '@/data/scouting/queries'
import { decimal, rate } from '@/lib/format'
import type { RecordField } from '@/ui/record-dialog'

/** What checks the forms; loaded apart, since screens are drawn without it. */
export const schemas = () => import('@/features/scouting/schemas')

/** The tools of the game, as scouts grade them. */
const HITTING = { hit: 'Hit', power: 'Power', run: 'Run', field: 'Field', arm: 'Arm' } as const
const PITCHING = { fastball: 'Fastball', breaking: 'Breaking ball', changeup: 'Changeup', control: 'Control' } as const
const TOOLS: Readonly<Record<string, string>> = { ...HITTING, ...PITCHING }

/** The scale: 20 to 80 in fives, 50 is the average of the major leagues. */
export const GRADES = Array.from({ length: 13 }, (_, step) => String(20 + 5 * step))

/** The tools that are graded for these positions. */
export const toolsOf = (positions: readonly string[]): string[] => [
  ...(positions.some((position) => position !== 'P') || positions.length === 0 ? Object.keys(HITTING) : []),
  ...(positions.includes('P') || positions.length === 0 ? Object.keys(PITCHING) : []),
]

export const noteFields = (tools: readonly string[]): readonly RecordField[] => [
  ...tools.map((name) => ({
    name,
    label: TOOLS[name] ?? name,
    options: [['', 'Not graded'], ...GRADES.map((text) => [text, text] as const)] as const,
  })),
  { name: 'body', label: 'Note', type: 'textarea' },
]

/** What the form of a note begins with. */
export const noteTexts = (tools: readonly string[], note: { body: string; grades: Json } | null) => ({
  body: note?.body ?? '',
  ...Object.fromEntries(tools.map((tool) => [tool, ''])),
  ...Object.fromEntries(gradesOf(note?.grades ?? null).map(({ tool, grade }) => [tool, String(grade)])),
})

/** The grades of a note in the order of the tools; other values of the column are ignored. */
export function gradesOf(grades: Json): { tool: string; label: string; grade: number }[] {
  if (typeof grades !== 'object' || grades === null || Array.isArray(grades)) return []
  return Object.entries(TOOLS).flatMap(([tool, label]) => {
    const grade = grades[tool]
    return typeof grade === 'number' ? [{ tool, label, grade }] : []
  })
}

export const LIST_FIELDS: readonly RecordField[] = [{ name: 'name', label: 'Name', wide: true }]

export const WATCHED_FIELDS: readonly RecordField[] = [
  { name: 'note', label: 'Note', hint: 'optional', type: 'textarea' },
]

const RATES = ['avg', 'obp', 'slg', 'ops']

/** `6.94 s`, `.312`, `2.45`. */
export function comparedWords({
  metric,
  value,
  unit,
  decimals,
}: Pick<Compared, 'metric' | 'value' | 'unit' | 'decimals'>) {
  return RATES.includes(metric) ? rate(value) : `${decimal(value, decimals ?? 2)} ${unit}`.trimEnd()
}

export type ComparedMetric = { metric: string; label: string; rows: Compared[]; best: ReadonlySet<string> }

/** The numbers by metric, with the players whose value is the best; nobody's if only one has it or all have the same. */
export function comparedMetrics(rows: readonly Compared[]): ComparedMetric[] {
  const metrics = [...new Set(rows.map(({ metric }) => metric))]
  return metrics.flatMap((metric) => {
    const own = rows.filter((row) => row.metric === metric)
    const [first] = own
    if (!first) return []
    const values = own.map(({ value }) => value)
    const top = first.lower_is_better ? Math.min(...values) : Math.max(...values)
    const best = own.filter(({ value }) => value === top)
    const ids = best.length < own.length ? best.map(({ player_id }) => player_id) : []
    return [{ metric, label: first.label, rows: own, best: new Set(ids) }]
  })
}
