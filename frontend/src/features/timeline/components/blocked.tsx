import { useQuery } from '@tanstack/react-query'
import { useBlock } from '@/data/timeline/mutations'
import { blocksQuery } from '@/data/timeline/queries'
import { shortDay } from '@/lib/format'
import { Button } from '@/ui/button'
import { UNNAMED } from '@/features/timeline/components/face-of'

/** Whom the user has blocked; nothing while that is nobody. */
export function Blocked({ userId }: { userId: string }) {
  const { data: blocks = [] } = useQuery(blocksQuery(userId))
  const block = useBlock()
  if (blocks.length === 0) return null
  return (
    <section aria-labelledby="blocked" className="grid gap-2 rounded-xl border border-border bg-card p-4">
      <h2 id="blocked" className="text-base font-semibold">
        Blocked
      </h2>
      <ul className="divide-y divide-border">
        {blocks.map(({ blocked_id, blocked, created_at }) => (
          <li key={blocked_id} className="flex items-center justify-between gap-3 py-2">
            <span className="min-w-0">
              <span className="block font-medium wrap-anywhere">{blocked?.full_name ?? UNNAMED}</span>
              <span className="block text-sm text-muted-foreground">since {shortDay(created_at)}</span>
            </span>
            <Button
              variant="outline"
              size="sm"
              aria-label={`Unblock ${blocked?.full_name ?? UNNAMED}`}
              disabled={block.isPending}
              onClick={() => block.mutate({ id: blocked_id, blocked: false })}
            >
              Unblock
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
