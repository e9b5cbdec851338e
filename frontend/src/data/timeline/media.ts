import { Upload } from 'tus-js-client'
import { env } from '@/lib/env'
import { explain } from '@/lib/explain'
import { stripVideo, VIDEO_TYPES } from '@/lib/movies/strip'
import { VideoProblem } from '@/lib/movies/tape'
import { randomId } from '@/lib/random-id'
import { supabase } from '@/lib/supabase'
import type { Media } from '@/data/timeline/model'

/** Maximum size of a video, in bytes: that of the bucket. */
const VIDEO_LIMIT = 200 * 1024 * 1024
const CHUNK = 6 * 1024 * 1024
/** Milliseconds to wait before each attempt to continue. */
const RETRIES = [500, 2000, 5000, 10_000]
/** Names are never used twice, so a file never changes. */
const FOREVER = '31536000'

/** Uploads a photo that the browser has drawn anew. */
export async function uploadPhoto(
  userId: string,
  photo: { blob: Blob; width: number; height: number },
): Promise<Media> {
  const path = `${userId}/${randomId()}.jpg`
  const files = supabase.storage.from('post-media')
  const { error } = await files.upload(path, photo.blob, { contentType: 'image/jpeg', cacheControl: FOREVER })
  if (error) throw error
  return { path, width: photo.width, height: photo.height, alt: '' }
}

/** Removes place and camera from a video and uploads it in parts. `onProgress` gets the share that has arrived, up to 1. */
export async function uploadClip(userId: string, file: File, onProgress: (share: number) => void): Promise<Media> {
  if (file.size > VIDEO_LIMIT) throw new VideoProblem('This video is larger than 200 MB. Choose a shorter one.')
  const { video, type } = await stripVideo(file)
  const path = `${userId}/${randomId()}.${VIDEO_TYPES[type]}`
  await new Promise<void>((done, failed) => {
    new Upload(video, {
      endpoint: `${env.supabaseUrl}/storage/v1/upload/resumable`,
      chunkSize: CHUNK,
      retryDelays: RETRIES,
      storeFingerprintForResuming: false,
      metadata: { bucketName: 'post-media', objectName: path, contentType: type, cacheControl: FOREVER },
      // The token may have been refreshed since the last part.
      onBeforeRequest: async (request) => {
        const { data } = await supabase.auth.getSession()
        request.setHeader('Authorization', `Bearer ${data.session?.access_token ?? env.supabaseAnonKey}`)
        request.setHeader('apikey', env.supabaseAnonKey)
      },
      onProgress: (sent, total) => onProgress(sent / total),
      onError: failed,
      onSuccess: () => done(),
    }).start()
  })
  return { path, width: null, height: null, alt: '' }
}

/** Takes away a file that no post uses. What cannot be removed now goes with the account. */
export async function discardMedia(path: string) {
  await supabase.storage.from('post-media').remove([path])
}

/** What went wrong with a file, for people. */
export const mediaProblem = (error: unknown) =>
  error instanceof VideoProblem ? error.message : explain(error, 'The upload failed. Try again.')
