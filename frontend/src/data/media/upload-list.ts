import { useSyncExternalStore } from 'react'
import { announceUnsavedChange, withdrawUnsavedChange } from '@/lib/unsaved-changes'

export type VideoFacts = { title: string; recorded_on: string | null }

/** A video on its way. It goes on while the user is on another screen. */
export type VideoUpload = {
  title: string
  /** unsaved: all bytes have arrived, but the profile does not show the video yet. */
  state: 'running' | 'paused' | 'failed' | 'saving' | 'unsaved'
  /** In bytes. */
  sent: number
  total: number
  /** What went wrong, or nothing. */
  problem: string
  /** For an unsaved one: tries again. */
  retry?: () => Promise<void>
}

let uploads: ReadonlyMap<string, VideoUpload> = new Map()
const listeners = new Set<() => void>()

const EMPTY: VideoUpload = { title: '', state: 'running', sent: 0, total: 0, problem: '' }

/** Changes or removes (null) a player's upload. */
export function change(playerId: string, changed: Partial<VideoUpload> | null) {
  const next = new Map(uploads)
  if (changed) {
    const before = uploads.get(playerId)
    // An answer that comes after the upload was given up.
    if (!before && changed.title === undefined) return
    next.set(playerId, { ...(before ?? EMPTY), ...changed })
  } else next.delete(playerId)
  uploads = next
  const title = next.get(playerId)?.title
  const id = `video-${playerId}`
  if (title === undefined) withdrawUnsavedChange(id)
  else announceUnsavedChange({ id, description: `The video “${title}” is being uploaded`, location: 'Profile' })
  window.removeEventListener('beforeunload', warn)
  if (next.size > 0) window.addEventListener('beforeunload', warn)
  listeners.forEach((listener) => listener())
}

function warn(event: BeforeUnloadEvent) {
  event.preventDefault()
}

export const uploadOf = (playerId: string): VideoUpload | undefined => uploads.get(playerId)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The upload of a player's video, if there is one. */
export const useVideoUpload = (playerId: string): VideoUpload | undefined =>
  useSyncExternalStore(subscribe, () => uploads.get(playerId))
