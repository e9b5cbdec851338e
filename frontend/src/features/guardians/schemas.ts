import { z } from 'zod'
import { pastDay } from '@/lib/fields'

export const guardianSchema = z.object({
  email: z.string().trim().pipe(z.email('Please enter a complete address.')),
})

export const birthDateSchema = z.object({
  birth_date: pastDay.refine((date) => date > '1900', 'Please enter the birth date.'),
})
