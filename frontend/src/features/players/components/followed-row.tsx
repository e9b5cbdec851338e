import { Bell, BellOff, TrendingDown, TrendingUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Followed, Week } from '@/data/players/followed'
import { useFollow, useMute } from '@/data/players/mutations'
import { rate, shortDay } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { PersonFace } from '@/features/players/components/person-face'
import { nextWords, trendOf } from '@/features/players/followed'
import { battingWords, pitchingWords, resultOf } from '@/features/players/scorebook'

const LINK = 'underline-offset-4 hover:text-primary hover:underline'

/** One whom the user follows: the last game, the last seven days and the next game. */
export function FollowedRow({ userId, followed }: { userId: string; followed: Followed }) {
  const { id, full_name, photo, muted, positions, grad_year, state, last_game, next_game, week } = followed
  const facts = [positions?.join(', '), grad_year && `Class of ${grad_year}`, state].filter(Boolean).join(' · ')
  return (
    <li className="grid items-start gap-x-4 gap-y-3 px-4 py-3 lg:grid-cols-[minmax(0,4fr)_minmax(0,4fr)_minmax(0,3fr)_minmax(0,3fr)_auto]">
      <span className="flex min-w-0 items-center gap-2.5">
        <PersonFace name={full_name} photo={photo} />
        <span className="min-w-0">
          <Link to={paths.playerById.replace(':id', id)} className={`font-medium wrap-anywhere ${LINK}`}>
            {full_name}
          </Link>
          {muted && <span className="text-sm text-muted-foreground"> muted</span>}
          {facts && <span className="block text-sm text-muted-foreground">{facts}</span>}
        </span>
      </span>
      <Part title="Last game">
        {last_game ? (
          <>
            <Link to={paths.gameById.replace(':id', last_game.id)} className={LINK}>
              {[
                last_game.batting && battingWords(last_game.batting),
                last_game.pitching && pitchingWords(last_game.pitching),
              ]
                .filter(Boolean)
                .join(' · ') || 'Played'}
            </Link>
            <span className="block text-muted-foreground">
              {`${shortDay(last_game.played_on)}, ${resultOf(last_game)} ${last_game.home ? 'vs' : 'at'} ${last_game.opponent}`}
            </span>
          </>
        ) : (
          <None>No public game</None>
        )}
      </Part>
      <Part title="Last 7 days">{week ? <Trend week={week} /> : <None>No plate appearance</None>}</Part>
      <Part title="Next game">
        {next_game ? (
          <Link to={paths.gameById.replace(':id', next_game.id)} className={LINK}>
            {nextWords(next_game, new Date())}
            <span className="block text-muted-foreground">{`${next_game.visitor_name} at ${next_game.home_name}`}</span>
          </Link>
        ) : (
          <None>None scheduled</None>
        )}
      </Part>
      <span className="flex gap-2 lg:justify-end">
        <MuteButton userId={userId} followed={followed} />
        <UnfollowButton userId={userId} id={id} name={full_name} />
      </span>
    </li>
  )
}

/** A part of the row; its name is above it on narrow screens, and for screen readers everywhere. */
function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 text-sm tabular-nums lg:block">
      <span className="text-muted-foreground lg:block lg:text-xs">{title}</span>
      <div className="wrap-anywhere">{children}</div>
    </div>
  )
}

const None = ({ children }: { children: string }) => <span className="text-muted-foreground">{children}</span>

function Trend({ week }: { week: Week }) {
  const { ops, pa, season_ops } = week
  const trend = trendOf(week)
  const Icon = trend === 'up' ? TrendingUp : TrendingDown
  return (
    <>
      <span className="flex items-center gap-1.5">
        {ops === null ? 'No at-bat' : `${rate(ops)} OPS`}
        {trend && (
          <span className={trend === 'up' ? 'text-success' : 'text-accent'}>
            <Icon aria-hidden className="size-4" />
            <span className="sr-only">{trend === 'up' ? 'above the season' : 'below the season'}</span>
          </span>
        )}
      </span>
      <span className="block text-muted-foreground">
        {pa} PA{season_ops !== null && `, season ${rate(season_ops)}`}
      </span>
    </>
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
