import { useQuery } from '@tanstack/react-query'
import { shortNameOf, type Game, type Side } from '@/data/games/model'
import { playsQuery } from '@/data/games/queries'
import { playsOf, type Stat } from '@/features/games/box-stats'
import { PlayList } from '@/features/games/components/play-list'
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/ui/dialog'
import { Empty, Loading, Problem, RowsSkeleton } from '@/ui/section'

export type StatChoice = {
  stat: Pick<Stat<never>, 'short' | 'name' | 'formula' | 'counts' | 'note'>
  /** The number as it is shown. */
  shown: string
  /** As the plays count it: the outs of innings. */
  amount: number
  /** Null for the whole side. */
  athlete: string | null
  who: string
  side: Side
  pitching: boolean
}

type StatDialogProps = { game: Game; choice: StatChoice; onClose: () => void; onCloseAutoFocus: (event: Event) => void }

/** What a number of the box score means, and the plays behind it. */
export default function StatDialog({ game, choice, onClose, onCloseAutoFocus }: StatDialogProps) {
  const { stat, shown, who } = choice
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-xl" onCloseAutoFocus={onCloseAutoFocus}>
        <div className="grid gap-2">
          <DialogTitle className="wrap-anywhere">
            {stat.name}: {shown}
          </DialogTitle>
          <DialogDescription className="wrap-anywhere">
            {who}. {stat.short} = {stat.formula}.
          </DialogDescription>
        </div>
        <PlaysBehind game={game} choice={choice} />
      </DialogContent>
    </Dialog>
  )
}

function PlaysBehind({ game, choice }: { game: Game; choice: StatChoice }) {
  const { stat, amount, athlete, side, pitching } = choice
  const query = useQuery(playsQuery(game.id))
  if (query.isPending) {
    return (
      <Loading>
        <RowsSkeleton rows={3} />
      </Loading>
    )
  }
  if (query.isError) {
    return <Problem text="The plays could not be loaded." error={query.error} onRetry={() => void query.refetch()} />
  }
  const batting: Side = (side === 0) !== pitching ? 0 : 1
  const counted = playsOf(query.data, batting)
    .map((play) => ({ record: play.record, count: stat.counts(play, athlete) }))
    .filter(({ count }) => count > 0)
  const sum = counted.reduce((sum, { count }) => sum + count, 0)
  return (
    <section aria-label="Plays behind it" className="grid gap-2">
      {counted.length === 0 ? (
        <Empty>No play counts in it.</Empty>
      ) : (
        <PlayList
          records={counted.map(({ record }) => record)}
          name={(id) => shortNameOf(game.athletes.get(id))}
          homeFirst={game.home_bats_first}
        />
      )}
      {sum !== amount && stat.note && <p className="text-sm text-muted-foreground">{stat.note}</p>}
    </section>
  )
}
