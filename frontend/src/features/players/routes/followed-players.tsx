import { useInfiniteQuery } from '@tanstack/react-query'
import { Search, Star } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { FOLLOWED_SORTS, followedQuery } from '@/data/players/followed'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { Loading, PageHeader, Problem, Skeleton } from '@/ui/section'
import { Select } from '@/ui/select'
import { FollowedRow } from '@/features/players/components/followed-row'
import { parseSort, SORT_NAMES } from '@/features/players/followed'

/** `/followed-players`: whom one follows, by recent form. The address names the order. */
export default function FollowedPlayersScreen() {
  const { user } = useSession()
  usePageTitle('Following')
  return user && <Following userId={user.id} />
}

function Following({ userId }: { userId: string }) {
  const [parameters, setParameters] = useSearchParams()
  const sort = parseSort(parameters.get('sort'))
  return (
    <div className="grid gap-5">
      <PageHeader title="Following" text="Mute hides what a player posts and adds from your timeline and Home">
        <Select
          aria-label="Order"
          value={sort}
          className="h-10 w-auto"
          onChange={({ target }) =>
            setParameters(target.value === 'form' ? {} : { sort: target.value }, { preventScrollReset: true })
          }
        >
          {FOLLOWED_SORTS.map((one) => (
            <option key={one} value={one}>
              {SORT_NAMES[one]}
            </option>
          ))}
        </Select>
      </PageHeader>
      <Rows key={sort} userId={userId} sort={sort} />
    </div>
  )
}

function Rows({ userId, sort }: { userId: string; sort: ReturnType<typeof parseSort> }) {
  const query = useInfiniteQuery(followedQuery(userId, sort))
  const rows = query.data?.pages.flat() ?? []
  if (query.isPending) return <RowsSkeleton />
  return (
    <>
      {query.isError && (
        <Problem
          text="Those you follow could not be loaded."
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      )}
      {rows.length > 0 && (
        <ul
          aria-label="Followed players"
          className="divide-y divide-border overflow-clip rounded-xl border border-border bg-card"
        >
          {rows.map((followed) => (
            <FollowedRow key={followed.id} userId={userId} followed={followed} />
          ))}
        </ul>
      )}
      {query.isSuccess && rows.length === 0 && <Nobody />}
      {query.hasNextPage && (
        <Button
          variant="outline"
          className="justify-self-center"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {query.isFetchingNextPage ? 'Loading…' : 'Show more'}
        </Button>
      )}
    </>
  )
}

function Nobody() {
  return (
    <div className="grid min-h-60 content-center justify-items-center gap-3 rounded-xl border border-dashed border-border px-4 py-8 text-center">
      <Star aria-hidden className="size-8 text-muted-foreground" />
      <p className="font-semibold">You follow nobody yet</p>
      <p className="text-sm text-muted-foreground">The games and numbers of those you follow come here.</p>
      <Button asChild>
        <Link to={paths.search}>
          <Search aria-hidden />
          Find players
        </Link>
      </Button>
    </div>
  )
}

function RowsSkeleton() {
  return (
    <Loading>
      <div className="divide-y divide-border rounded-xl border border-border bg-card">
        {[0, 1, 2, 3].map((row) => (
          <div key={row} className="px-4 py-3">
            <Skeleton className="h-40 lg:h-14" />
          </div>
        ))}
      </div>
    </Loading>
  )
}
