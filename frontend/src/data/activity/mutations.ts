import { queryClient } from '@/lib/query-client'
import { supabase, unwrap } from '@/lib/supabase'
import { deviceType, sessionStep } from '@/data/activity/model'
import { saving } from '@/data/saving'

const LOCK = 'dugout-activity'

let lastVisit = ''

/**
 * Records a page view and keeps the user's session row (section 4, "Sessions"). Failures are only logged (section 8).
 * @param visit what tells this page view from the last one; the same value twice in a row is one view,
 *   because React's strict mode runs effects twice
 */
export async function recordPageView(userId: string, path: string, visit: string): Promise<void> {
  const seen = `${userId} ${visit}`
  if (seen === lastVisit) return
  lastVisit = seen
  const now = new Date()
  try {
    await saving(queryClient, async () => {
      await supabase
        .from('page_views')
        .insert({ user_id: userId, page_path: path, viewed_at: now.toISOString() })
        .throwOnError()
      await oneAtATime(() => touchSession(userId, now))
    })
  } catch (error) {
    console.error('The page view could not be recorded.', error)
  }
}

async function touchSession(userId: string, now: Date): Promise<void> {
  const latest = unwrap(
    await supabase
      .from('user_sessions')
      .select('id, session_start, last_activity')
      .eq('user_id', userId)
      .order('last_activity', { ascending: false })
      .limit(1)
      .maybeSingle(),
  )
  const step = sessionStep(latest, now)
  if (step.kind === 'start') {
    await supabase
      .from('user_sessions')
      .insert({
        user_id: userId,
        session_start: now.toISOString(),
        last_activity: now.toISOString(),
        device_type: deviceType(navigator.userAgent, navigator.maxTouchPoints),
        session_duration: 0,
      })
      .throwOnError()
    return
  }
  const { id, last_activity, session_duration } = step
  await supabase.from('user_sessions').update({ last_activity, session_duration }).eq('id', id).throwOnError()
}

let queue: Promise<unknown> = Promise.resolve()

/** Read-then-write must not overlap with itself, or two quick page views (or two tabs) would start two sessions. */
function oneAtATime(work: () => Promise<void>): Promise<void> {
  const turn = queue.then(() => ('locks' in navigator ? navigator.locks.request(LOCK, work) : work()))
  queue = turn.catch(() => undefined)
  return turn
}
