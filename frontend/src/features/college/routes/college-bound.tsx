import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import type { Board } from '@/data/college/model'
import { useSavePlan } from '@/data/college/mutations'
import { boardsQuery, levelsQuery, programsQuery, targetsQuery } from '@/data/college/queries'
import { roleQuery } from '@/data/role/queries'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { Loading, PageHeader, Problem, Skeleton } from '@/ui/section'
import { Select } from '@/ui/select'
import { Switch } from '@/ui/switch'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/ui/tabs'
import { BoardColumns } from '@/features/college/components/board'
import { Level } from '@/features/college/components/level'
import { Periods } from '@/features/college/components/periods'
import { Programs } from '@/features/college/components/programs'
import { TargetPanel } from '@/features/college/components/target-panel'
import { Tasks } from '@/features/college/components/tasks'
import { TABS, type Tab } from '@/features/college/model'

const TITLES: Readonly<Record<Tab, string>> = { board: 'Board', programs: 'Programs', tasks: 'Tasks' }

/** `/college-bound`: the way to a college. Players and guardians keep a board; coaches read those shared with them. */
export default function CollegeBoundScreen() {
  usePageTitle('College Bound')
  const { user } = useSession()
  return user && <CollegeBound userId={user.id} />
}

function CollegeBound({ userId }: { userId: string }) {
  const [parameters, setParameters] = useSearchParams()
  const { data: role } = useQuery(roleQuery(userId))
  const query = useQuery({ ...boardsQuery(userId, role), enabled: role !== undefined })
  const asked = TABS.find((one) => one === parameters.get('tab'))
  const boards = query.data ?? []
  const board = boards.find(({ playerId }) => playerId === parameters.get('player')) ?? boards[0]
  const tab = asked ?? 'board'
  const open = (part: Record<string, string>) => setParameters(part, { preventScrollReset: true })
  const whose: Record<string, string> = board && board !== boards[0] ? { player: board.playerId } : {}
  return (
    <Tabs value={tab} onValueChange={(tab) => open({ ...whose, tab })}>
      <PageHeader title="College Bound">
        <TabsList aria-label="Part of the way" className="w-full sm:w-80">
          {TABS.map((one) => (
            <TabsTrigger key={one} value={one}>
              {TITLES[one]}
            </TabsTrigger>
          ))}
        </TabsList>
      </PageHeader>
      <TabsContent value={tab} className="mt-4 grid gap-4">
        {query.isError && (
          <Problem text="The boards could not be loaded." error={query.error} onRetry={() => void query.refetch()} />
        )}
        {query.isPending && <Waiting />}
        {board && <Whose boards={boards} board={board} onChoose={(player) => open({ player, tab })} />}
        {query.data && <Part key={board?.playerId} tab={tab} board={board} />}
      </TabsContent>
    </Tabs>
  )
}

/** Whose board it is, where there are several; and whether coaches see it. */
function Whose({
  boards,
  board,
  onChoose,
}: {
  boards: readonly Board[]
  board: Board
  onChoose: (id: string) => void
}) {
  const save = useSavePlan(board.playerId)
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
      {boards.length > 1 && (
        <Select
          aria-label="Whose board"
          className="h-10 sm:w-auto"
          value={board.playerId}
          onChange={({ target }) => onChoose(target.value)}
        >
          {boards.map(({ playerId, name }) => (
            <option key={playerId} value={playerId}>
              {name}
            </option>
          ))}
        </Select>
      )}
      {board.writes ? (
        <label className="flex h-10 items-center gap-2 text-sm">
          <Switch
            checked={board.shared}
            disabled={save.isPending}
            onCheckedChange={(shared_with_coaches) => save.mutate({ shared_with_coaches })}
          />
          Team coaches can read this board
        </label>
      ) : (
        <p className="text-sm text-muted-foreground">{board.name} shares this board with you.</p>
      )}
    </div>
  )
}

const NO_TARGETS: readonly never[] = []

function Part({ tab, board }: { tab: Tab; board: Board | undefined }) {
  const { data: levels = NO_TARGETS } = useQuery(levelsQuery)
  const { data: targets = NO_TARGETS } = useQuery({
    ...targetsQuery(board?.playerId ?? ''),
    enabled: board !== undefined,
  })
  if (tab === 'programs') return <Programs board={board} targets={targets} levels={levels} />
  if (!board) {
    return (
      <>
        <NoBoard />
        <Periods />
      </>
    )
  }
  return tab === 'tasks' ? <Tasks board={board} /> : <BoardPart board={board} />
}

function BoardPart({ board }: { board: Board }) {
  const [parameters, setParameters] = useSearchParams()
  const query = useQuery(targetsQuery(board.playerId))
  const programs = useQuery(programsQuery)
  const { data: levels = NO_TARGETS } = useQuery(levelsQuery)
  const failed = [query, programs].find(({ isError }) => isError)
  if (failed) {
    return <Problem text="The board could not be loaded." error={failed.error} onRetry={() => void failed.refetch()} />
  }
  if (!query.data || !programs.data) return <Waiting />
  const known = new Map(programs.data.map((program) => [program.id, program]))
  const chosen = query.data.find(({ id }) => id === parameters.get('target'))
  const program = chosen && known.get(chosen.program_id)
  const choose = (id: string | null) =>
    setParameters(
      (now) => {
        if (id === null || id === chosen?.id) now.delete('target')
        else now.set('target', id)
        return now
      },
      { replace: true, preventScrollReset: true },
    )
  return (
    <>
      {query.data.length === 0 ? (
        <div className="grid min-h-56 content-center justify-items-center gap-3 rounded-2xl border border-dashed border-border p-6 text-center">
          <p className="font-medium">No program on the board yet</p>
          {board.writes && (
            <Button asChild>
              <Link to={`${paths.collegeBound}?tab=programs`} preventScrollReset>
                <Search aria-hidden />
                Find programs
              </Link>
            </Button>
          )}
        </div>
      ) : (
        <BoardColumns
          board={board}
          targets={query.data}
          programs={known}
          levels={levels}
          chosen={chosen?.id}
          onChoose={choose}
        />
      )}
      {chosen && program && (
        <TargetPanel board={board} target={chosen} program={program} levels={levels} onRemoved={() => choose(null)} />
      )}
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <Level board={board} levels={levels} />
        <Periods />
      </div>
    </>
  )
}

function NoBoard() {
  return (
    <div className="grid min-h-56 content-center justify-items-center gap-3 rounded-2xl border border-dashed border-border p-6 text-center">
      <p className="font-medium">Players and guardians keep a board; coaches see those shared with them</p>
      <Button asChild variant="outline">
        <Link to={`${paths.collegeBound}?tab=programs`} preventScrollReset>
          Look at programs
        </Link>
      </Button>
    </div>
  )
}

function Waiting() {
  return (
    <Loading>
      <div className="grid gap-3 xl:grid-cols-5">
        {[0, 1, 2, 3, 4].map((column) => (
          <Skeleton key={column} className="h-56 rounded-2xl" />
        ))}
      </div>
    </Loading>
  )
}
