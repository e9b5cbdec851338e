import { z } from 'zod'
import { AUDIENCES } from '@/data/college/model'
import { optionalText, pastDay, requiredText } from '@/lib/fields'

const optionalDay = z
  .string()
  .trim()
  .refine((text) => text === '' || /^20\d{2}-\d{2}-\d{2}$/.test(text), 'Please enter a day.')
  .transform((text) => text || null)

export const contactSchema = z.object({
  kind: z.string().min(1),
  received: z.enum(['true', 'false']).transform((word) => word === 'true'),
  happened_on: pastDay,
  person: optionalText(120),
  body: optionalText(2000),
})

export const targetSchema = z.object({
  next_step: optionalText(200),
  next_on: optionalDay,
  visit_kind: z.string().transform((kind) => kind || null),
  visit_on: optionalDay,
  offer: optionalText(500),
  reply_by: optionalDay,
  notes: optionalText(4000),
})

export const commitSchema = z
  .object({
    status: z.enum(['committed', 'signed']),
    committed_on: pastDay,
    audience: z.string(),
  })
  .transform(({ audience, ...values }) => ({ ...values, ...audienceOf(audience) }))

/** `team:…` names the team. */
function audienceOf(text: string): { audience: (typeof AUDIENCES)[number]; team?: string } {
  const [name, team] = text.split(':')
  const audience = AUDIENCES.find((one) => one === name) ?? 'nobody'
  return team ? { audience, team } : { audience }
}

export const taskSchema = z.object({
  title: requiredText(160, 'Please say what is to be done.'),
  grade: z.string().transform(Number),
  due_on: optionalDay,
})

const aDay = z
  .string()
  .trim()
  .regex(/^20\d{2}-\d{2}-\d{2}$/, 'Please enter a day.')

export const periodSchema = z
  .object({
    division: z.string().transform(Number),
    kind: z.string().min(1),
    starts_on: aDay,
    ends_on: aDay,
    source: requiredText(300, 'Please say where it is written.'),
    checked_on: pastDay,
  })
  .refine(({ starts_on, ends_on }) => ends_on >= starts_on, {
    path: ['ends_on'],
    message: 'It ends after it begins.',
  })
