import type { QueryClient } from '@tanstack/react-query'
import { Upload } from 'tus-js-client'
import { personKey } from '@/data/players/queries'
import { env } from '@/lib/env'
import { messageOf } from '@/lib/errors'
import { stripVideo, VIDEO_TYPES } from '@/lib/movies/strip'
import { VideoProblem } from '@/lib/movies/tape'
import { randomId } from '@/lib/random-id'
import { supabase } from '@/lib/supabase'
import { saving } from '@/data/saving'
import { change, uploadOf, type VideoFacts } from '@/data/media/upload-list'

/** Maximum size of a video, in bytes: that of the bucket. */
export const VIDEO_LIMIT = 200 * 1024 * 1024
/** Bytes sent in one request. After a lost connection at most these are sent again. */
const CHUNK = 6 * 1024 * 1024
/** Milliseconds to wait before each attempt to continue; then the user decides. */
const RETRIES = [500, 2000, 5000, 10_000]
const OFFLINE = 'The connection was lost. What has arrived is kept, and the upload continues when you are online.'
const WITHOUT_ANSWER = 'The server did not answer. What has arrived is kept: try again.'
const FAILED = 'The upload failed. What has arrived is kept: try again.'

/** The transfers that run or pause, by player. */
const transfers = new Map<string, Upload>()

// An upload belongs to the user who began it. The server forgets its part after a day.
supabase.auth.onAuthStateChange((event) => {
  if (event !== 'SIGNED_OUT') return
  for (const [playerId, transfer] of transfers) {
    transfers.delete(playerId)
    change(playerId, null)
    void transfer.abort().catch(() => undefined)
  }
})

/** Removes place and camera from a video, uploads it, and adds it to the player's profile. */
export async function uploadVideo(client: QueryClient, playerId: string, file: File, facts: VideoFacts) {
  if (transfers.has(playerId)) throw new VideoProblem('Another video is being uploaded. Wait until it has arrived.')
  if (file.size > VIDEO_LIMIT) throw new VideoProblem('This video is larger than 200 MB. Choose a shorter one.')
  const { video, type } = await stripVideo(file)
  const fingerprint = `dugout-video-${playerId}-${file.name}-${file.size}-${file.lastModified}`
  const name = `${playerId}/${randomId()}.${VIDEO_TYPES[type]}`
  const owner = (await supabase.auth.getSession()).data.session?.user.id
  const transfer = new Upload(video, {
    endpoint: `${env.supabaseUrl}/storage/v1/upload/resumable`,
    chunkSize: CHUNK,
    retryDelays: RETRIES,
    removeFingerprintOnSuccess: true,
    fingerprint: () => Promise.resolve(fingerprint),
    metadata: { bucketName: 'profile-videos', objectName: name, contentType: type, cacheControl: '3600' },
    // The token may have been refreshed since the last part.
    onBeforeRequest: async (request) => {
      const { data } = await supabase.auth.getSession()
      if (!data.session || data.session.user.id !== owner) throw new Error('Another user has signed in.')
      request.setHeader('Authorization', `Bearer ${data.session.access_token}`)
      request.setHeader('apikey', env.supabaseAnonKey)
    },
    onProgress: (sent, total) => change(playerId, { sent, total }),
    onError: (error) => fail(playerId, transfer, error),
    onSuccess: () => void record(client, playerId, transfer, facts),
  })
  // The same file chosen again after the page was closed continues where it was.
  const [previous] = await transfer.findPreviousUploads()
  const earlier = previous?.metadata['objectName']
  if (previous && earlier?.startsWith(`${playerId}/`)) {
    transfer.options.metadata = { ...transfer.options.metadata, objectName: earlier }
    transfer.resumeFromPreviousUpload(previous)
  }
  transfers.set(playerId, transfer)
  change(playerId, { title: facts.title, state: 'running', sent: 0, total: video.size, problem: '' })
  transfer.start()
}

export async function pauseUpload(playerId: string) {
  await transfers.get(playerId)?.abort()
  change(playerId, { state: 'paused' })
}

/** Continues after a pause or a failure. */
export function continueUpload(playerId: string) {
  const upload = uploadOf(playerId)
  change(playerId, { state: 'running', problem: '' })
  if (upload?.retry) void upload.retry()
  else transfers.get(playerId)?.start()
}

/** Gives up; the server forgets what has arrived. */
export async function cancelUpload(playerId: string) {
  const transfer = transfers.get(playerId)
  const arrived = uploadOf(playerId)?.state === 'unsaved'
  transfers.delete(playerId)
  change(playerId, null)
  const path = transfer?.options.metadata?.['objectName']
  if (arrived && path) await supabase.storage.from('profile-videos').remove([path])
  // Without a connection the server forgets it after a day.
  else await transfer?.abort(true).catch(() => undefined)
}

async function record(client: QueryClient, playerId: string, transfer: Upload, facts: VideoFacts) {
  change(playerId, { state: 'saving' })
  const path = transfer.options.metadata?.['objectName'] ?? ''
  try {
    await saving(client, async () => {
      await supabase
        .from('videos')
        .insert({ player_id: playerId, path, ...facts })
        .throwOnError()
    })
  } catch (error) {
    const problem = messageOf(error, 'The video has arrived, but it was not added to the profile.')
    change(playerId, { state: 'unsaved', problem, retry: () => record(client, playerId, transfer, facts) })
    return
  }
  transfers.delete(playerId)
  change(playerId, null)
  await client.invalidateQueries({ queryKey: personKey(playerId) })
}

/** Shows what went wrong. tus-js-client does not retry while the browser is offline, so the next `online` event does. */
function fail(playerId: string, transfer: Upload, error: Error) {
  change(playerId, { state: 'failed', problem: problemOf(error) })
  if (navigator.onLine) return
  const resume = () => {
    if (transfers.get(playerId) === transfer && uploadOf(playerId)?.state === 'failed') continueUpload(playerId)
  }
  window.addEventListener('online', resume, { once: true })
}

function problemOf(error: Error): string {
  const answer = 'originalResponse' in error ? (error.originalResponse as { getBody: () => string } | null) : null
  if (!answer) return navigator.onLine ? WITHOUT_ANSWER : OFFLINE
  return /no JPEG/.test(answer.getBody()) ? 'This file is no video that can be used here.' : FAILED
}
