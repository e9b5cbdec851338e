import { Link } from 'react-router'
import { paths } from '@/lib/paths'

const LINK = 'font-medium text-primary underline underline-offset-4'

/** Says on every screen that the account is suspended, why, and what can be done nevertheless. */
export function SuspensionNotice({ reason }: { reason: string | undefined }) {
  return (
    <p role="alert" className="mb-8 rounded-xl border border-destructive/40 bg-destructive/6 p-4 leading-relaxed">
      <strong className="text-destructive">Your account is suspended.</strong> {reason} You can{' '}
      <Link to={paths.settings} className={LINK}>
        take your data along or delete the account
      </Link>
      , and{' '}
      <Link to={paths.contact} className={LINK}>
        write to us
      </Link>{' '}
      if you think that is a mistake.
    </p>
  )
}
