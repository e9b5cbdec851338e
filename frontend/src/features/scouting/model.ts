import { z } from 'zod'
import { optionalText } from '@/lib/fields'
import type { Json } from '@/types/database'
import type { RecordField } from '@/ui/record-dialog'

/** The tools of the game, as scouts grade them. */
const HITTING = { hit: 'Hit', power: 'Power', run: 'Run', field: 'Field', arm: 'Arm' } as const
const PITCHING = { fastball: 'Fastball', breaking: 'Breaking ball', changeup: 'Changeup', control: 'Control' } as const
const TOOLS: Readonly<Record<string, string>> = { ...HITTING, ...PITCHING }

/** The scale: 20 to 80 in fives, 50 is the average of the major leagues. */
const GRADES = Array.from({ length: 13 }, (_, step) => String(20 + 5 * step))

const grade = z.string().refine((text) => text === '' || GRADES.includes(text), 'Please choose a grade from 20 to 80.')

/** The tools that matter for somebody who plays these positions. */
export const toolsOf = (positions: readonly string[]): string[] => [
  ...(positions.some((position) => position !== 'P') || positions.length === 0 ? Object.keys(HITTING) : []),
  ...(positions.includes('P') || positions.length === 0 ? Object.keys(PITCHING) : []),
]

/** A note says something, or grades something. */
export const noteSchema = (tools: readonly string[]) =>
  z
    .object({
      body: z.string().trim().max(5000, 'Please keep it under 5000 characters.'),
      ...Object.fromEntries(tools.map((tool) => [tool, grade])),
    })
    .refine((note) => Object.values(note).some((text) => text !== ''), {
      path: ['body'],
      message: 'Please write something, or grade a tool.',
    })
    .transform(({ body, ...grades }) => ({ body, grades: given(grades) }))

const given = (grades: Record<string, string>) =>
  Object.fromEntries(Object.entries(grades).flatMap(([tool, text]) => (text === '' ? [] : [[tool, Number(text)]])))

export type NoteValues = z.output<ReturnType<typeof noteSchema>>

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

/** The grades of a note, in the order of the tools; whatever else stands in the column is none. */
export function gradesOf(grades: Json): { tool: string; label: string; grade: number }[] {
  if (typeof grades !== 'object' || grades === null || Array.isArray(grades)) return []
  return Object.entries(TOOLS).flatMap(([tool, label]) => {
    const grade = grades[tool]
    return typeof grade === 'number' ? [{ tool, label, grade }] : []
  })
}

export const listSchema = z.object({
  name: z.string().trim().min(1, 'Please give the list a name.').max(80, 'Please keep it under 80 characters.'),
})
export const LIST_FIELDS: readonly RecordField[] = [{ name: 'name', label: 'Name', wide: true }]

export const watchedSchema = z.object({ note: optionalText(500) })
export const WATCHED_FIELDS: readonly RecordField[] = [
  { name: 'note', label: 'Note', hint: 'optional', type: 'textarea' },
]
