import type { RecordField } from '@/ui/record-dialog'

/** What checks the forms; loaded apart, since screens are drawn without it. */
export const schemas = () => import('@/features/reports/schemas')

export const REASONS = {
  spam: 'Spam or advertising',
  abuse: 'Insults or harassment',
  false_data: 'Something is not true',
  minor_safety: 'A child may be in danger',
  other: 'Something else',
} as const

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
