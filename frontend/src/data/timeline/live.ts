import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel } from '@supabase/supabase-js'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Post } from '@/data/timeline/model'
import { changePost } from '@/data/timeline/pages'
import { LISTS_KEY, loadPost, ownTeamsQuery } from '@/data/timeline/queries'
import { isRecord } from '@/lib/is-record'
import { supabase } from '@/lib/supabase'

/** Milliseconds within which all open timelines ask for a new post, so that they do not all ask at once. */
const SPREAD = 1500
/** Milliseconds within which channels that are joined again reload the lists once. */
const TOGETHER = 300
/** New posts that wait to be shown; beyond that the list is loaded again. */
const MOST = 20

/**
 * The posts of others that have arrived since the list was loaded, the latest first, and a function that forgets them. The
 * private channels tell ids alone; each post is asked for under the reader's own rights.
 */
export function useLiveTimeline(userId: string) {
  const client = useQueryClient()
  const [waiting, setWaiting] = useState<readonly Post[]>([])
  const teams = useQuery(ownTeamsQuery(userId))
  // Without an answer, posts to the teams come with the next loading of the list.
  const topics = teams.isPending ? '' : ['timeline', ...(teams.data ?? []).map((id) => `timeline:${id}`)].join(' ')

  useEffect(() => {
    let left = false
    const timers = new Set<ReturnType<typeof setTimeout>>()

    function later(work: () => void, delay: number) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        work()
      }, delay)
      timers.add(timer)
      return timer
    }

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
      later(() => void fetchPost(id), Math.random() * SPREAD)
    }

    let reloading: ReturnType<typeof setTimeout> | undefined
    /** Loads what came while the connection was lost. */
    function onJoinedAgain() {
      clearTimeout(reloading)
      reloading = later(() => void client.invalidateQueries({ queryKey: LISTS_KEY }), TOGETHER)
    }

    const channels = topics.split(' ').flatMap((topic) => (topic ? [join(topic, onPost, onJoinedAgain)] : []))
    return () => {
      left = true
      timers.forEach(clearTimeout)
      channels.forEach((leave) => leave())
    }
  }, [client, topics, userId])

  return { waiting, clear: () => setWaiting([]) }
}

/** The library returns the same channel until the last user of it has left. */
let gone: Promise<unknown> = Promise.resolve()

/** Joins a channel. Returns what leaves it. */
function join(topic: string, onPost: (payload: unknown) => void, onJoinedAgain: () => void) {
  let channel: RealtimeChannel | undefined
  let left = false
  let joinedBefore = false

  async function start() {
    await gone
    // The channel is joined with the token that the client has now.
    await supabase.realtime.setAuth()
    if (left) return
    channel = supabase.channel(topic, { config: { private: true } })
    channel
      .on('broadcast', { event: 'post' }, ({ payload }: { payload?: unknown }) => onPost(payload))
      .subscribe((status) => {
        if (left || status !== REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) return
        if (joinedBefore) onJoinedAgain()
        joinedBefore = true
      })
  }

  void start()
  return () => {
    left = true
    const own = channel
    if (own) gone = gone.then(() => supabase.removeChannel(own)).catch(() => undefined)
  }
}
