import { z } from 'zod'
import { pastDay } from '@/lib/fields'

/** A plausible birth date. */
export const birthDateSchema = z.object({
  birth_date: pastDay.refine((date) => date > '1900', 'Please enter your birth date.'),
})
