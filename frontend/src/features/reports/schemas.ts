import { z } from 'zod'
import { REASONS } from '@/features/reports/model'

type Reason = keyof typeof REASONS

export const reportSchema = z
  .object({
    reason: z.string().refine((reason): reason is Reason => reason in REASONS, 'Please choose a reason.'),
    details: z.string().trim().max(2000, 'Please keep it under 2,000 characters.'),
  })
  .refine(({ reason, details }) => reason !== 'other' || details !== '', {
    path: ['details'],
    error: 'Please say what is wrong.',
  })
