import type { ReportProps } from '@/lib/report'
import { supabase } from '@/lib/supabase'
import { toast } from '@/ui/toast/toast-state'
import type { ReportValues } from '@/features/reports/schemas'

/** Tells the admins. Throws what the server says, for the form to say. */
export async function sendReport(
  { subjectKind, subjectId, subjectUserId }: Omit<ReportProps, 'name'>,
  values: ReportValues,
) {
  const subject = { subject_kind: subjectKind, subject_id: subjectId, subject_user_id: subjectUserId }
  await supabase
    .from('reports')
    .insert({ ...subject, ...values })
    .throwOnError()
  toast({ title: 'Thank you', description: 'We will look at what you have reported.', variant: 'success' })
}
