import { lazy, Suspense, type ComponentProps } from 'react'
import { Spinner } from '@/ui/spinner'

const Drawn = lazy(() => import('@/ui/chart'))

/** The chart, whose library is loaded when the first one is shown. */
export function Chart(props: ComponentProps<typeof Drawn>) {
  return (
    <Suspense fallback={<Spinner />}>
      <Drawn {...props} />
    </Suspense>
  )
}
