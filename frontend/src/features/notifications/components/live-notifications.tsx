import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { visibilityQuery } from '@/data/minors/queries'
import { listen } from '@/data/notifications/channel'
import { receive } from '@/features/notifications/received'
import { worded } from '@/features/notifications/words'

/** Milliseconds for which a lost connection is not mentioned: most come back within it. */
const PATIENCE = 2000

/**
 * Brings notifications to the bell as they are sent, and lets the screens load what they make out of date. While a connection
 * that was there is lost, it says so.
 */
export default function LiveNotifications({ userId }: { userId: string }) {
  const client = useQueryClient()
  const [lost, setLost] = useState(false)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let wasJoined = false
    let joined = false
    const show = () => {
      clearTimeout(timer)
      const connected = joined && navigator.onLine
      if (connected) setLost(false)
      else if (wasJoined) timer = setTimeout(() => setLost(true), PATIENCE)
    }
    const stop = listen(userId, {
      onNotification: (payload) => {
        const received = worded(payload)
        if (!received) return
        void receive(userId, received.notification).then((isNew) => {
          if (isNew) received.outdated.forEach((key) => void client.invalidateQueries({ queryKey: [key] }))
        })
      },
      onJoined: (now) => {
        joined = now
        wasJoined ||= now
        show()
      },
      onRefused: () => {
        wasJoined = false
        clearTimeout(timer)
        setLost(false)
        void client.invalidateQueries(visibilityQuery(userId))
      },
    })
    window.addEventListener('online', show)
    window.addEventListener('offline', show)
    return () => {
      stop()
      clearTimeout(timer)
      window.removeEventListener('online', show)
      window.removeEventListener('offline', show)
    }
  }, [userId, client])

  return (
    <span role="status" className="text-xs text-muted-foreground">
      {lost && 'Reconnecting…'}
    </span>
  )
}
