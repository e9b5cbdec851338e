import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Post } from '@/data/timeline/model'
import { changePost } from '@/data/timeline/pages'
import { LISTS_KEY, loadPost } from '@/data/timeline/queries'
import { isRecord } from '@/lib/is-record'
import { supabase } from '@/lib/supabase'

/** Milliseconds within which all open timelines ask for a new post, so that they do not all ask at once. */
const SPREAD = 1500
/** New posts that wait to be shown; beyond that the list is loaded again. */
const MOST = 20

/**
 * The posts of others that have arrived since the list was loaded, the latest first, and a function that forgets them. The
 * private channel tells ids alone; each post is asked for under the reader's own rights.
 */
export function useLiveTimeline(userId: string) {
  const client = useQueryClient()
  const [waiting, setWaiting] = useState<readonly Post[]>([])

  useEffect(() => {
    let left = false
    let joinedBefore = false
    const timers = new Set<ReturnType<typeof setTimeout>>()

    async function fetchPost(id: string) {
      // Without an answer the post comes with the next loading of the list.
      const post = await loadPost(id).catch(() => null)
      if (left || !post || post.author_id === userId) return
      setWaiting((now) => (now.some((one) => one.id === id) ? now : [post, ...now].slice(0, MOST)))
    }

    function onPost(payload: unknown) {
      if (!isRecord(payload) || typeof payload.id !== 'string') return
      const { id } = payload
      if (payload.gone === true) {
        changePost(client, id, (post) => (post.author_id === userId ? post : null))
        setWaiting((now) => now.filter((post) => post.id !== id))
        return
      }
      const timer = setTimeout(() => {
        timers.delete(timer)
        void fetchPost(id)
      }, Math.random() * SPREAD)
      timers.add(timer)
    }

    const channel = supabase
      .channel('timeline', { config: { private: true } })
      .on('broadcast', { event: 'post' }, ({ payload }: { payload?: unknown }) => onPost(payload))
    // The channel is joined with the token that the client has now.
    void supabase.realtime.setAuth().then(() => {
      if (left) return
      channel.subscribe((status) => {
        if (status !== REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) return
        // What came while the connection was lost.
        if (joinedBefore) void client.invalidateQueries({ queryKey: LISTS_KEY })
        joinedBefore = true
      })
    })
    return () => {
      left = true
      timers.forEach(clearTimeout)
      void supabase.removeChannel(channel)
    }
  }, [client, userId])

  return { waiting, clear: () => setWaiting([]) }
}
