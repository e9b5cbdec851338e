import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { teamNameQuery } from '@/data/search/queries'
import { usePageTitle } from '@/lib/page-title'
import { useSettled } from '@/lib/use-settled'
import { PageHeader } from '@/ui/section'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/ui/tabs'
import { OtherResults } from '@/features/search/components/other-results'
import { PlayerResults } from '@/features/search/components/player-results'
import { Saved } from '@/features/search/components/saved'
import { SearchBox } from '@/features/search/components/search-box'
import { KINDS, parseSearch, writeSearch, type Kind, type SearchView } from '@/features/search/model'

/** Milliseconds without a key before the server is asked. */
const PAUSE = 150

/** At once, not when there is time: a box that is ticked must not spring back meanwhile. */
const CHANGING = { replace: true, preventScrollReset: true, flushSync: true } as const

const TITLES: Readonly<Record<Kind, string>> = {
  players: 'Players',
  teams: 'Teams',
  coaches: 'Coaches',
  programs: 'Programs',
  games: 'Games',
  articles: 'Articles',
}

/** The tabs beside the players', whose results are found by name alone. */
const OTHERS = [
  ['teams', 'team'],
  ['coaches', 'coach'],
  ['programs', 'program'],
  ['games', 'game'],
  ['articles', 'article'],
] as const

/** `/search`: players by name and filters, everything else by name. The address says all of it. */
export default function SearchScreen() {
  usePageTitle('Search')
  const [parameters, setParameters] = useSearchParams()
  const view = parseSearch(parameters)
  const { data: teamName } = useQuery({
    ...teamNameQuery(view.filters.team ?? ''),
    enabled: view.filters.team !== undefined,
  })
  const change = (part: Partial<SearchView>) =>
    setParameters((now) => writeSearch({ ...parseSearch(now), ...part }), CHANGING)
  return (
    <div className="grid gap-5">
      <PageHeader title="Search" />
      <Query key="query" query={view.query} onQuery={(query) => change({ query })} />
      <Tabs
        value={view.kind}
        onValueChange={(kind) => change({ kind: KINDS.find((one) => one === kind) ?? 'players' })}
      >
        <TabsList aria-label="What to search" className="max-w-2xl max-sm:grid-flow-row max-sm:grid-cols-3">
          {KINDS.map((kind) => (
            <TabsTrigger key={kind} value={kind}>
              {TITLES[kind]}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="players" className="grid gap-4">
          <Saved query={view.query} filters={view.filters} teamName={teamName} />
          <PlayerResults
            query={view.query}
            filters={view.filters}
            teamName={teamName}
            onFilters={(filters) => change({ filters })}
          />
        </TabsContent>
        {OTHERS.map(([tab, kind]) => (
          <TabsContent key={tab} value={tab}>
            <OtherResults kind={kind} query={view.query} />
          </TabsContent>
        ))}
      </Tabs>
    </div>
  )
}

/** What is typed is put in the address once the keys rest. A new address, of a link say, is what the field shows. */
function Query({ query, onQuery }: { query: string; onQuery: (query: string) => void }) {
  const [typed, setTyped] = useState(query)
  const [shown, setShown] = useState(query)
  if (query !== shown) {
    setShown(query)
    if (query !== typed.trim()) setTyped(query)
  }
  const settled = useSettled(typed.trim(), PAUSE)
  useEffect(() => {
    if (settled === typed.trim() && settled !== query) onQuery(settled)
    // Only what is typed changes the address.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [settled])
  return (
    <search>
      <SearchBox
        aria-label="Name of a player, team, coach, program, game or article"
        placeholder="Name of a player, team, program or article"
        className="rounded-xl border border-input/70 bg-card focus-visible:border-ring focus-visible:outline-2"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </search>
  )
}
