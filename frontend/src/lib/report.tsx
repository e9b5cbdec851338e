import { createContext, Suspense, use, type ReactNode } from 'react'

export type ReportProps = {
  /** What is reported, and whose it is: null for that of an account that is deleted. */
  subjectKind: 'profile' | 'video' | 'measurement' | 'post' | 'comment' | 'article' | 'article_comment'
  subjectId: string
  subjectUserId: string | null
  /** What it is called; the button shows a flag alone then. Without it, it says 'Report'. */
  name?: string
}

/** The button of features/reports, which app/ puts here, since no feature imports another. */
export const ReportContext = createContext<(props: ReportProps) => ReactNode>(() => null)

/** A way to tell the admins about something; nothing for its owner. */
export function Report(props: ReportProps) {
  return <Suspense>{use(ReportContext)(props)}</Suspense>
}
