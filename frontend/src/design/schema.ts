import { z } from 'zod'
import { optionalText, requiredText } from '@/lib/fields'

/** Of the record that the page shows. */
export const schema = z.object({
  kind: z.string(),
  value: requiredText(10, 'Please enter a number.'),
  notes: optionalText(200),
})
