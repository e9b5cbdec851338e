import { useQueryClient } from '@tanstack/react-query'
import type { ReportProps } from '@/lib/report'
import { OPENED_PROFILE } from '@/data/players/queries'
import { supabase } from '@/lib/supabase'
import type { Database } from '@/types/database'
import { toast } from '@/ui/toast/toast-state'
import { saving } from '@/data/saving'

type Subject = Omit<ReportProps, 'name'>
type ReportValues = Pick<Database['public']['Tables']['reports']['Insert'], 'reason' | 'details'>

/** Tells the admins. What it returns throws what the server says, for the form to say. */
export function useSendReport({ subjectKind, subjectId, subjectUserId }: Subject) {
  const client = useQueryClient()
  const subject = { subject_kind: subjectKind, subject_id: subjectId }
  return (values: ReportValues) =>
    saving(client, async () => {
      await supabase
        .from('reports')
        .insert({ ...subject, ...values })
        // The server derives whose it is under the reporter's rights, which may come from having opened the profile.
        .setHeader(OPENED_PROFILE, subjectUserId ?? '')
        .throwOnError()
      toast({ title: 'Thank you', description: 'We will look at what you have reported.', variant: 'success' })
    })
}
