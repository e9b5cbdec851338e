import { z } from 'zod'
import type { RecordField } from '@/ui/record-dialog'

const REASONS = {
  spam: 'Spam or advertising',
  abuse: 'Insults or harassment',
  false_data: 'Something is not true',
  minor_safety: 'A child may be in danger',
  other: 'Something else',
} as const

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

export type ReportValues = z.output<typeof reportSchema>

const DETAILS: RecordField = {
  name: 'details',
  label: 'Details',
  hint: 'optional',
  help: 'What should we look at, and where?',
  type: 'textarea',
}

export const REPORT_FIELDS: readonly RecordField[] = [
  { name: 'reason', label: 'Reason', options: [['', 'Choose…'], ...Object.entries(REASONS)], wide: true },
  DETAILS,
]
