import { useQuery } from '@tanstack/react-query'
import { ClipboardList, Users } from 'lucide-react'
import { Link } from 'react-router'
import { LEAST_TYPED, type SuggestionKind } from '@/data/search/model'
import { suggestionsQuery } from '@/data/search/queries'
import { Highlighted } from '@/ui/highlighted'
import { Empty, Loading, Problem, RowsSkeleton, Row } from '@/ui/section'
import { addressOf, highlight } from '@/features/search/model'

/** The largest number of results of a kind; a longer query finds the others. */
const MOST = 50

type OtherResultsProps = { kind: Exclude<SuggestionKind, 'player'>; query: string }

const WORDS = {
  team: { all: 'Teams', empty: 'No team is called', icon: Users },
  coach: { all: 'Coaches', empty: 'No coach shown here is called', icon: ClipboardList },
} as const

/** Teams or coaches by name. */
export function OtherResults({ kind, query }: OtherResultsProps) {
  const found = useQuery(suggestionsQuery(query, MOST))
  const { all, empty, icon: Icon } = WORDS[kind]
  if (query.length < LEAST_TYPED) return <Empty>Type two letters of a name.</Empty>
  const rows = found.data?.filter((one) => one.kind === kind) ?? []
  if (found.isPending || (found.isPlaceholderData && rows.length === 0)) {
    return (
      <Loading>
        <RowsSkeleton rows={6} />
      </Loading>
    )
  }
  if (found.isError)
    return <Problem text="The search failed." error={found.error} onRetry={() => void found.refetch()} />
  if (rows.length === 0) return <Empty>{`${empty} “${query}”. Check the spelling.`}</Empty>
  return (
    <section aria-label={all} className="rounded-2xl border border-border bg-card px-4">
      <p role="status" className="sr-only">
        {!found.isPlaceholderData && `${rows.length} found`}
      </p>
      <ul className="divide-y divide-border">
        {rows.map((one) => (
          <Row
            key={one.id}
            icon={<Icon aria-hidden />}
            name={
              <Link to={addressOf(one)} className="underline-offset-4 hover:text-primary hover:underline">
                <Highlighted parts={highlight(one.name, query)} />
              </Link>
            }
            facts={one.detail || (kind === 'coach' ? 'No team yet' : '')}
          >
            {kind === 'team' && <span className="text-sm text-muted-foreground">Players</span>}
          </Row>
        ))}
      </ul>
    </section>
  )
}
