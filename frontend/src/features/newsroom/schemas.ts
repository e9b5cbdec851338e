import { z } from 'zod'
import { requiredText } from '@/lib/fields'
import { parseTags } from '@/features/newsroom/model'

const TAG = /^[a-z0-9][a-z0-9 -]{0,29}$/

export const articleSchema = z.object({
  title: requiredText(140, 'Please give it a title.'),
  summary: z.string().trim().max(300, 'Please keep it under 300 characters.'),
  body: z.string().max(40_000, 'Please keep it under 40,000 characters.'),
  tags: z
    .string()
    .transform(parseTags)
    .refine((tags) => tags.length <= 6, 'Six tags are enough.')
    .refine((tags) => tags.every((tag) => TAG.test(tag)), 'Tags have letters, digits, spaces and hyphens, 30 at most.'),
  cover_alt: z.string().trim().max(300, 'Please keep it under 300 characters.'),
  comments_open: z.boolean(),
})

export const noteSchema = z.object({
  note: requiredText(500, 'Please say what was wrong: readers see it.').refine(
    (text) => text.length >= 3,
    'Please write a few words: readers see it.',
  ),
})
