import { useInfiniteQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { Link } from 'react-router'
import { usePhoto } from '@/data/media/queries'
import type { CardNumber, Filters, PlayerCard, SearchPage } from '@/data/search/model'
import { playersQuery } from '@/data/search/queries'
import { decimal, feet } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { Evidence } from '@/ui/evidence'
import { Face } from '@/ui/face'
import { Highlighted } from '@/ui/highlighted'
import { Loading, Problem, Skeleton } from '@/ui/section'
import { Facets } from '@/features/search/components/facets'
import { filterWords, highlight, totalWords, withoutFilter } from '@/features/search/model'

type PlayerResultsProps = {
  query: string
  filters: Filters
  teamName: string | null | undefined
  onFilters: (filters: Filters) => void
}

/** Players with their facets, chosen filters, and twenty more at a time. */
export function PlayerResults({ query, filters, teamName, onFilters }: PlayerResultsProps) {
  const found = useInfiniteQuery(playersQuery(query, filters))
  const first = found.data?.pages[0]
  // What is shown until the answer arrives is of another search.
  const stale = found.isPlaceholderData
  const players = found.data?.pages.flatMap((page) => page.players)
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[15.5rem_minmax(0,1fr)]">
      <Facets filters={filters} counts={stale ? undefined : first?.facets} onChange={onFilters} />
      <section aria-label="Players" className="grid min-w-0 gap-3" aria-busy={found.isFetching}>
        <Chosen total={stale ? undefined : first?.total} filters={filters} teamName={teamName} onFilters={onFilters} />
        {found.isError && (
          <Problem text="The search failed." error={found.error} onRetry={() => void found.refetch()} />
        )}
        {(found.isPending || (stale && first?.total === 0)) && <Rows />}
        {first?.total === 0 && !stale && (
          <NobodyFound page={first} query={query} filters={filters} teamName={teamName} onFilters={onFilters} />
        )}
        {players && players.length > 0 && (
          <ul
            className={cn(
              'divide-y divide-border overflow-hidden rounded-2xl border border-border bg-card',
              stale && 'opacity-60',
            )}
          >
            {players.map((player) => (
              <Player key={player.id} player={player} typed={query} />
            ))}
          </ul>
        )}
        {found.hasNextPage && (
          <Button
            variant="outline"
            className="justify-self-center"
            disabled={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {found.isFetchingNextPage ? 'Loading…' : 'Show more'}
          </Button>
        )}
      </section>
    </div>
  )
}

type ChosenProps = Omit<PlayerResultsProps, 'query'> & { total: number | undefined }

/** How many there are, and the filters as chips that take themselves away. */
function Chosen({ total, filters, teamName, onFilters }: ChosenProps) {
  const words = filterWords(filters, teamName)
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-2">
      <p role="status" className="mr-1 min-w-20 text-sm font-semibold tabular-nums">
        {total === undefined ? 'Searching…' : totalWords(total)}
      </p>
      {words.map(({ name, value, label }) => (
        <button
          key={`${name} ${value ?? ''}`}
          type="button"
          aria-label={`Remove the filter ${label}`}
          onClick={() => onFilters(withoutFilter(filters, name, value))}
          className="flex h-8 items-center gap-1.5 rounded-lg border border-primary bg-secondary px-2.5 text-sm font-medium text-secondary-foreground hover:bg-secondary-hover max-sm:h-9"
        >
          {label}
          <X aria-hidden className="size-3.5" />
        </button>
      ))}
      {words.length > 1 && (
        <Button variant="link" size="sm" className="px-1" onClick={() => onFilters({})}>
          Clear
        </Button>
      )}
    </div>
  )
}

function Player({ player, typed }: { player: PlayerCard; typed: string }) {
  const { id, name, photo, positions, team, state, bats, throws, height, numbers } = player
  const facts = [
    positions.join(', '),
    player.class,
    height && feet(height),
    (bats ?? throws) && `${bats ?? '—'}/${throws ?? '—'}`,
    state,
  ]
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 focus-within:bg-muted hover:bg-muted sm:min-h-16">
      <Face name={name} size={40} {...usePhoto(photo, 'small')} />
      <div className="min-w-0 grow basis-52">
        <Link
          to={paths.playerById.replace(':id', id)}
          className="font-medium wrap-anywhere after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ring"
        >
          <Highlighted parts={highlight(name, typed)} />
        </Link>
        <p className="text-sm text-muted-foreground tabular-nums">{facts.filter(Boolean).join(' · ')}</p>
        {team && <p className="truncate text-sm text-muted-foreground">{team}</p>}
      </div>
      {numbers.length > 0 && (
        <dl className="flex gap-x-5 max-sm:basis-full max-sm:justify-between max-sm:pl-14">
          {numbers.map((number) => (
            <Measured key={number.metric} {...number} />
          ))}
        </dl>
      )}
    </li>
  )
}

/** Names that fit a column. */
const SHORT: Readonly<Record<string, string>> = {
  sixty_yard_dash: '60-yard',
  exit_velocity_max: 'Max EV',
  fastball_max: 'Fastball',
  spin_rate: 'Spin',
  infield_velocity: 'INF velo',
  outfield_velocity: 'OF velo',
  pop_time: 'Pop time',
}

function Measured({ metric, label, unit, decimals, value, source, verified }: CardNumber) {
  return (
    <div className="sm:w-24">
      <dt className="flex items-center gap-1 text-xs text-muted-foreground">
        <abbr title={label} className="no-underline">
          {SHORT[metric] ?? label}
        </abbr>
        <Evidence source={source} verified={verified} />
      </dt>
      <dd className="text-sm font-semibold whitespace-nowrap tabular-nums">
        {decimal(value, decimals)} <span className="font-normal text-muted-foreground">{unit}</span>
      </dd>
    </div>
  )
}

type NobodyProps = PlayerResultsProps & { page: SearchPage }

/** Says which filter removes everybody, and offers to drop it. */
function NobodyFound({ page, query, filters, teamName, onFilters }: NobodyProps) {
  const hints = filterWords(filters, teamName)
    .filter(
      ({ name }, index, all) => (page.without[name] ?? 0) > 0 && all.findIndex((one) => one.name === name) === index,
    )
    .sort((a, b) => (page.without[b.name] ?? 0) - (page.without[a.name] ?? 0))
  const chosen = filterWords(filters, teamName).length > 0
  return (
    <div className="grid min-h-48 content-center justify-items-center gap-3 rounded-2xl border border-dashed border-border px-4 py-8 text-center">
      <p className="font-medium">
        {query ? `No player shown here is called “${query}”` : 'No player shown here'}
        {chosen && ' with these filters'}
      </p>
      {hints.length > 0 ? (
        <ul className="flex flex-wrap justify-center gap-2">
          {hints.map(({ name, label }) => (
            <li key={name}>
              <Button variant="outline" onClick={() => onFilters(withoutFilter(filters, name))}>
                Without “{label}”: {totalWords(page.without[name] ?? 0)}
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="max-w-md text-sm text-muted-foreground">
          Check the spelling, or type the beginning of the first or family name. Private profiles are never found.
        </p>
      )}
      {chosen && hints.length === 0 && (
        <Button variant="outline" onClick={() => onFilters({})}>
          Clear the filters
        </Button>
      )}
    </div>
  )
}

function Rows() {
  return (
    <Loading>
      <div className="divide-y divide-border overflow-hidden rounded-2xl border border-border bg-card">
        {Array.from({ length: 10 }, (_, row) => (
          <div key={row} className="flex h-19 items-center gap-4 px-4">
            <Skeleton className="size-10 shrink-0 rounded-full" />
            <div className="grid grow gap-1.5">
              <Skeleton className="h-4.5 w-2/5" />
              <Skeleton className="h-4 w-3/5" />
            </div>
          </div>
        ))}
      </div>
    </Loading>
  )
}
