import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { LEAST_TYPED, type SuggestionKind } from '@/data/search/model'
import { suggestionsQuery } from '@/data/search/queries'
import { Highlighted } from '@/ui/highlighted'
import { Empty, Loading, Problem, RowsSkeleton, Row } from '@/ui/section'
import { KIND_ICONS } from '@/features/search/kind-icons'
import { addressOf, highlight } from '@/features/search/model'

/** Results that are listed; a longer text finds the others. */
const MOST = 50

type OtherResultsProps = { kind: Exclude<SuggestionKind, 'player'>; query: string }

const WORDS = {
  team: { all: 'Teams', empty: 'No team is called' },
  coach: { all: 'Coaches', empty: 'No coach shown here is called' },
  program: { all: 'Programs', empty: 'No program is called' },
  game: { all: 'Games', empty: 'No public game has a team called' },
  article: { all: 'Articles', empty: 'No article has a title like' },
} as const

/** Teams, coaches, programs, games or articles by name: the first 50. */
export function OtherResults({ kind, query }: OtherResultsProps) {
  // One more than is listed tells whether there are more.
  const found = useQuery(suggestionsQuery(query, MOST + 1, [kind]))
  const { all, empty } = WORDS[kind]
  const Icon = KIND_ICONS[kind]
  if (query.length < LEAST_TYPED) return <Empty>Type two letters of a name.</Empty>
  const matches = found.data?.filter((one) => one.kind === kind) ?? []
  const rows = matches.slice(0, MOST)
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
      {matches.length > MOST && (
        <p className="border-t border-border py-3 text-sm text-muted-foreground">
          The first {MOST} are listed. Type more of the name to find others.
        </p>
      )}
    </section>
  )
}
