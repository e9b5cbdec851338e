import { z } from 'zod'
import { optionalText } from '@/lib/fields'
import { GRADES } from '@/features/scouting/model'

const grade = z.string().refine((text) => text === '' || GRADES.includes(text), 'Please choose a grade from 20 to 80.')

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

export const listSchema = z.object({
  name: z.string().trim().min(1, 'Please give the list a name.').max(80, 'Please keep it under 80 characters.'),
})
export const watchedSchema = z.object({ note: optionalText(500) })
