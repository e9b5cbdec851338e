import { Flag } from 'lucide-react'
import { lazyScreen } from '@/lib/lazy-screen'
import type { ReportProps } from '@/lib/report'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { LateDialog } from '@/ui/late-dialog'
import { RecordDialog } from '@/ui/record-dialog'
import { REPORT_FIELDS, schemas } from '@/features/reports/model'
import { useSendReport } from '@/data/reports/mutations'

const loadSignInFirst = () => import('@/features/reports/components/sign-in-first')
const SignInFirst = lazyScreen(loadSignInFirst)

/** Reports content of another user to the admins. Renders nothing for the owner. */
export default function ReportButton({ name, ...subject }: ReportProps) {
  const { user } = useSession()
  const send = useSendReport(subject)
  if (user?.id === subject.subjectUserId) return null
  const trigger = name ? (
    <Button variant="ghost" size="icon" aria-label={`Report ${name}`} className="text-muted-foreground print:hidden">
      <Flag aria-hidden />
    </Button>
  ) : (
    <Button variant="ghost" className="text-muted-foreground print:hidden">
      <Flag aria-hidden />
      Report
    </Button>
  )
  if (!user) {
    return (
      <LateDialog trigger={trigger} load={loadSignInFirst}>
        {(control) => <SignInFirst {...control} />}
      </LateDialog>
    )
  }
  return (
    <RecordDialog
      trigger={trigger}
      title={name ? `Report ${name}` : 'Report this profile'}
      text="Only the people who run this site read it; its owner is not told who wrote."
      fields={REPORT_FIELDS}
      schema={async () => (await schemas()).reportSchema}
      defaults={{ reason: '', details: '' }}
      draft={`report:${user.id}:${subject.subjectKind}:${subject.subjectId}`}
      location="Report"
      submit="Send report"
      onSave={send}
    />
  )
}
