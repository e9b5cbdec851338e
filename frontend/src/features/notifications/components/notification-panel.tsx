import { Check, CircleAlert, CircleCheck, Info, Trash2, TriangleAlert, type LucideIcon } from 'lucide-react'
import { useState, type RefObject } from 'react'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { Popover, PopoverAnchor, PopoverContent } from '@/ui/popover'
import { timeAgo, type Notification } from '@/features/notifications/model'
import { changeNotifications, useNotifications } from '@/features/notifications/store'

const LOOKS: Record<Notification['type'], { icon: LucideIcon; tone: string }> = {
  success: { icon: CircleCheck, tone: 'text-success' },
  error: { icon: CircleAlert, tone: 'text-destructive' },
  warning: { icon: TriangleAlert, tone: 'text-warning' },
  info: { icon: Info, tone: 'text-info' },
}

type NotificationPanelProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The button that it hangs on; a click on it closes the panel by itself. */
  bell: RefObject<HTMLButtonElement | null>
}

/** Section 2, "Notifications panel". */
export default function NotificationPanel({ open, onOpenChange, bell }: NotificationPanelProps) {
  return (
    <Popover open={open} onOpenChange={onOpenChange}>
      <PopoverAnchor virtualRef={bell} />
      <PopoverContent
        align="end"
        aria-label="Notifications"
        onInteractOutside={(event) => {
          if (event.target instanceof Node && bell.current?.contains(event.target)) event.preventDefault()
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          // A click elsewhere has moved the focus already.
          if (document.activeElement === document.body) bell.current?.focus()
        }}
      >
        <Panel list={useNotifications()} />
      </PopoverContent>
    </Popover>
  )
}

function Panel({ list }: { list: readonly Notification[] }) {
  // The panel renders each time it opens, which is often enough for "5m ago".
  const [now] = useState(Date.now)
  if (list.length === 0) return <p className="p-8 text-center text-sm text-muted-foreground">No notifications</p>
  return (
    <>
      <div className="flex items-center justify-between gap-2 border-b border-border py-2 pr-2 pl-4">
        <h2 className="font-semibold">Notifications</h2>
        <div className="flex">
          <Button variant="ghost" size="sm" onClick={() => changeNotifications({ type: 'read-all' })}>
            Mark all read
          </Button>
          <Button variant="ghost" size="sm" onClick={() => changeNotifications({ type: 'clear' })}>
            Clear all
          </Button>
        </div>
      </div>
      <ul className="max-h-[min(26rem,60dvh)] divide-y divide-border overflow-y-auto">
        {list.map((item) => (
          <Item key={item.id} item={item} now={now} />
        ))}
      </ul>
    </>
  )
}

function Item({ item: { id, type, title, description, timestamp, read }, now }: { item: Notification; now: number }) {
  const { icon: Icon, tone } = LOOKS[type]
  return (
    <li className={cn('flex items-start gap-3 p-4 text-sm', !read && 'bg-secondary/40')}>
      <Icon aria-hidden className={cn('mt-0.5 size-5 shrink-0', tone)} />
      <div className="min-w-0 grow">
        <p className={cn('wrap-anywhere', !read && 'font-semibold')}>{title}</p>
        <p className="wrap-anywhere text-muted-foreground">{description}</p>
        <p className="mt-1 text-xs text-muted-foreground">{timeAgo(timestamp, now)}</p>
      </div>
      {!read && (
        <Button
          variant="ghost"
          size="icon"
          aria-label={`Mark as read: ${title}`}
          className="size-8"
          onClick={() => changeNotifications({ type: 'read', id })}
        >
          <Check aria-hidden />
        </Button>
      )}
      <Button
        variant="ghost"
        size="icon"
        aria-label={`Delete: ${title}`}
        className="size-8"
        onClick={() => changeNotifications({ type: 'delete', id })}
      >
        <Trash2 aria-hidden />
      </Button>
    </li>
  )
}
