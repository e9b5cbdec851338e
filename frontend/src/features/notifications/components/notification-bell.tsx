import { Bell } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyScreen } from '@/lib/lazy-screen'
import { whenQuiet } from '@/lib/when-quiet'
import { Button } from '@/ui/button'
import { openWhenLoaded } from '@/ui/open-when-loaded'
import { unreadBadge } from '@/features/notifications/model'
import { useNotifications } from '@/features/notifications/store'

const load = () => import('@/features/notifications/components/notification-panel')
const NotificationPanel = lazyScreen(load)

/** The bell of the top-right bar, with the number of unread notifications. */
export function NotificationBell() {
  const bell = useRef<HTMLButtonElement>(null)
  // Undefined until it is first opened: until then the panel need not be loaded.
  const [open, setOpen] = useState<boolean>()
  useEffect(() => whenQuiet(load), [])
  const badge = unreadBadge(useNotifications())
  return (
    <>
      <Button
        ref={bell}
        variant="ghost"
        size="icon"
        aria-label={badge ? `Notifications, ${badge} unread` : 'Notifications'}
        aria-haspopup="dialog"
        aria-expanded={open === true}
        className="relative"
        onClick={() => (open ? setOpen(false) : void openWhenLoaded(load, () => setOpen(true)))}
      >
        <Bell aria-hidden />
        {badge && (
          <span
            aria-hidden
            className="absolute top-0.5 right-0 min-w-4.5 rounded-full bg-destructive px-1 text-center text-[11px] leading-4.5 font-semibold text-destructive-foreground"
          >
            {badge}
          </span>
        )}
      </Button>
      {open !== undefined && (
        <Suspense>
          <NotificationPanel open={open} onOpenChange={setOpen} bell={bell} />
        </Suspense>
      )}
    </>
  )
}
