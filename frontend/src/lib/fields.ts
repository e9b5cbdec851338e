import { z } from 'zod'

/** What a form's fields hold: text, which these schemas make the right thing of. Empty is unknown, never 0. */
const trimmed = z.string().trim()

export const optionalText = (limit: number) =>
  trimmed.max(limit, `Please keep it under ${limit} characters.`).transform((text) => text || null)

export const requiredText = (limit: number, message: string) =>
  trimmed.min(1, message).max(limit, `Please keep it under ${limit} characters.`)

const range = (min: number, max: number) => `Please enter a number from ${min} to ${max}.`

export const optionalNumber = (min: number, max: number, whole = true) =>
  trimmed
    .refine((text) => text === '' || inRange(text, min, max, whole), range(min, max))
    .transform((text) => (text === '' ? null : Number(text)))

export const requiredNumber = (min: number, max: number, whole = true) =>
  trimmed.refine((text) => inRange(text, min, max, whole), range(min, max)).transform(Number)

/** A day that has been: `2026-11-21`. */
export const pastDay = trimmed.refine(
  (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && Date.parse(text) <= Date.now(),
  'Please enter a day that has been.',
)

/** `SS, 2B` as a list, each once. */
export const list = (limit: number) =>
  trimmed
    .transform((text) => [...new Set(text.split(',').map((part) => part.trim()))].filter(Boolean))
    .pipe(z.array(z.string().max(limit, `Please keep each under ${limit} characters.`)).max(20, 'Twenty are enough.'))

function inRange(text: string, min: number, max: number, whole: boolean): boolean {
  const number = Number(text)
  return text !== '' && number >= min && number <= max && (!whole || Number.isInteger(number))
}
