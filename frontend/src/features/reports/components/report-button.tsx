import { Flag } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '@/lib/paths'
import type { ReportProps } from '@/lib/report'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from '@/ui/dialog'
import { RecordDialog } from '@/ui/record-dialog'
import { REPORT_FIELDS, reportSchema } from '@/features/reports/model'
import { sendReport } from '@/features/reports/mutations'

/** Tells the admins about something of somebody else's. Nothing for its owner. */
export default function ReportButton({ name, ...subject }: ReportProps) {
  const { user } = useSession()
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
  if (!user) return <SignInFirst trigger={trigger} />
  return (
    <RecordDialog
      trigger={trigger}
      title={name ? `Report ${name}` : 'Report this profile'}
      text="Only the people who run this site read it; its owner is not told who wrote."
      fields={REPORT_FIELDS}
      schema={reportSchema}
      defaults={{ reason: '', details: '' }}
      draft={`report:${user.id}:${subject.subjectKind}:${subject.subjectId}`}
      location="Report"
      submit="Send report"
      onSave={(values) => sendReport(subject, values)}
    />
  )
}

function SignInFirst({ trigger }: { trigger: ReactNode }) {
  return (
    <Dialog>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent>
        <div className="grid gap-2">
          <DialogTitle>Sign in to report this</DialogTitle>
          <DialogDescription>So that we can ask you when something is not clear to us.</DialogDescription>
        </div>
        <div className="flex flex-wrap justify-end gap-3">
          <DialogClose asChild>
            <Button variant="outline">Cancel</Button>
          </DialogClose>
          <Button asChild>
            <Link to={paths.signIn}>Sign In</Link>
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
