import { useQuery } from '@tanstack/react-query'
import { Bell, BellOff } from 'lucide-react'
import { Link } from 'react-router'
import type { Prefetch } from '@/lib/prefetch'
import { day } from '@/lib/format'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { PageHeader } from '@/ui/section'
import { DataTable, type Column } from '@/ui/table/data-table'
import { PersonFace } from '@/features/players/components/person-face'
import { useFollow, useMute } from '@/data/players/mutations'
import { followedQuery } from '@/data/players/queries'

export const prefetch: Prefetch = (begin, { userId }) => {
  if (userId) void begin(followedQuery(userId))
}

type Followed = {
  id: string
  full_name: string
  role: string
  photo: string | null
  muted: boolean
  since: string
  player: { positions: string[]; grad_year: number | null; school: string | null; state: string | null } | null
}

const COLUMNS: readonly Column<Followed>[] = [
  {
    id: 'name',
    header: 'Name',
    value: (row) => row.full_name,
    cell: (row) => (
      <span className="flex items-center gap-2.5">
        <PersonFace name={row.full_name} photo={row.photo} />
        <Link
          to={paths.playerById.replace(':id', row.id)}
          className="font-medium text-primary underline underline-offset-4"
        >
          {row.full_name}
        </Link>
        {row.muted && <span className="text-sm text-muted-foreground">muted</span>}
      </span>
    ),
  },
  { id: 'positions', header: 'Positions', value: (row) => row.player?.positions.join(', ') },
  { id: 'class', header: 'Class', value: (row) => row.player?.grad_year },
  { id: 'school', header: 'School', value: (row) => row.player?.school },
  { id: 'state', header: 'State', value: (row) => row.player?.state },
  { id: 'since', header: 'Since', value: (row) => row.since, format: (row) => day(row.since) },
]

/** `/followed-players`: whom one follows. */
export default function FollowedPlayersScreen() {
  const { user } = useSession()
  usePageTitle('Following')
  return user && <Followed userId={user.id} />
}

function Followed({ userId }: { userId: string }) {
  const query = useQuery(followedQuery(userId))
  const actions: Column<Followed> = {
    id: 'actions',
    header: '',
    value: () => null,
    cell: (row) => (
      <span className="flex justify-end gap-2">
        <MuteButton userId={userId} followed={row} />
        <UnfollowButton userId={userId} id={row.id} name={row.full_name} />
      </span>
    ),
  }
  return (
    <div className="grid gap-6">
      <PageHeader title="Following" text="Mute hides what a player posts and adds from your timeline and Home" />
      <DataTable
        name="Followed players"
        query={query}
        columns={[...COLUMNS, actions]}
        rowKey={(row) => row.id}
        empty="You follow nobody yet. Open a player's profile and press Follow."
      />
    </div>
  )
}

function MuteButton({ userId, followed: { id, full_name, muted } }: { userId: string; followed: Followed }) {
  const mute = useMute(userId, id)
  const Icon = muted ? Bell : BellOff
  return (
    <Button
      variant={muted ? 'secondary' : 'ghost'}
      size="sm"
      aria-label={`${muted ? 'Unmute' : 'Mute'} ${full_name}`}
      disabled={mute.isPending}
      onClick={() => mute.mutate(!muted)}
    >
      <Icon aria-hidden />
      {muted ? 'Unmute' : 'Mute'}
    </Button>
  )
}

function UnfollowButton({ userId, id, name }: { userId: string; id: string; name: string }) {
  const follow = useFollow(userId, id)
  return (
    <Button
      variant="outline"
      size="sm"
      aria-label={`Unfollow ${name}`}
      disabled={follow.isPending}
      onClick={() => follow.mutate(false)}
    >
      Unfollow
    </Button>
  )
}
