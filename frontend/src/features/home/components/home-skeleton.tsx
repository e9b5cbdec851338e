import { Loading, RowsSkeleton, Skeleton } from '@/ui/section'

/** Has the shape of Home while that is loaded. */
export function HomeSkeleton() {
  return (
    <Loading>
      <Skeleton className="h-4 w-32" />
      <Skeleton className="mt-2 h-8 w-72 max-w-full" />
      <div className="mt-4 grid items-start gap-3 sm:gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {[8, 6].map((rows) => (
          <div key={rows} className="rounded-2xl border border-border bg-card p-3 sm:p-4">
            <RowsSkeleton rows={rows} />
          </div>
        ))}
      </div>
    </Loading>
  )
}
