import { REALTIME_SUBSCRIBE_STATES as STATES, type RealtimeChannel } from '@supabase/supabase-js'
import { supabase } from '@/lib/supabase'

/** Milliseconds for which the server keeps notifications, and how many it sends again when a channel is joined. */
const KEPT = 72 * 60 * 60 * 1000
const REPLAYED = 25

/** Milliseconds before a channel that the server has closed is joined anew; each failure doubles it. */
const FIRST_PAUSE = 1000
const LONGEST_PAUSE = 30_000

type Listener = {
  /** One notification, as SQL sent it. The server sends those of the last days again at every join. */
  onNotification: (payload: unknown) => void
  /** Whether the channel is joined. */
  onJoined: (joined: boolean) => void
  /** The user may no longer join, for example because the account was suspended. It is not tried again. */
  onRefused: () => void
}

/** The library returns the same channel until the last user of it has left. */
let left: Promise<unknown> = Promise.resolve()

/**
 * Joins the user's own private channel and stays there until the returned function is called.
 * The library joins again after a lost connection, but not after the server has closed the channel, for example because the
 * computer slept until the token had expired.
 */
export function listen(userId: string, { onNotification, onJoined, onRefused }: Listener): () => void {
  let channel: RealtimeChannel | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let pause = FIRST_PAUSE
  let stopped = false

  async function join() {
    await left
    // The channel is joined with the token that the client has now.
    await supabase.realtime.setAuth()
    if (stopped) return
    const replay = { since: Date.now() - KEPT, limit: REPLAYED }
    const own = supabase.channel(`user:${userId}`, { config: { private: true, broadcast: { replay } } })
    channel = own
    own
      .on('broadcast', { event: 'notification' }, ({ payload }: { payload?: unknown }) => onNotification(payload))
      .subscribe((status, error) => {
        if (stopped || channel !== own) return
        if (error?.message.includes('Unauthorized')) {
          stop()
          onRefused()
          return
        }
        onJoined(status === STATES.SUBSCRIBED)
        if (status === STATES.SUBSCRIBED) pause = FIRST_PAUSE
        else if (status === STATES.CLOSED) again()
        // The token may have expired; the library's next attempt takes the new one.
        else void supabase.realtime.setAuth()
      })
  }

  function again() {
    leave()
    timer = setTimeout(() => void join(), pause)
    pause = Math.min(2 * pause, LONGEST_PAUSE)
  }

  function leave() {
    const gone = channel
    channel = undefined
    if (gone) left = left.then(() => supabase.removeChannel(gone)).catch(() => undefined)
  }

  function stop() {
    stopped = true
    clearTimeout(timer)
    leave()
  }

  void join()
  return stop
}
