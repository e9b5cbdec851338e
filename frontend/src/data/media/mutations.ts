import { useQueryClient } from '@tanstack/react-query'
import type { Bucket } from '@/data/media/queries'
import { saving } from '@/data/saving'
import { TEAMS_KEY } from '@/data/teams/queries'
import { randomId } from '@/lib/random-id'
import { supabase } from '@/lib/supabase'

/** Names are never used twice, so a file never changes. */
const FOREVER = '31536000'

/** Uploads files; if one fails, none stays. */
async function upload(bucket: Bucket, files: readonly (readonly [string, Blob])[]) {
  const answers = await Promise.all(
    files.map(([path, file]) =>
      supabase.storage.from(bucket).upload(path, file, { contentType: file.type, cacheControl: FOREVER }),
    ),
  )
  const failed = answers.find(({ error }) => error)
  if (!failed?.error) return
  await discard(bucket, files)
  throw failed.error
}

async function discard(bucket: Bucket, files: readonly (readonly [string, Blob])[]) {
  // What cannot be removed now goes with the next picture.
  await supabase.storage.from(bucket).remove(files.map(([path]) => path))
}

/** Sets or takes away a person's photo. Each throws the server's error for the dialog to show. */
export function usePhotoChanges(id: string) {
  const client = useQueryClient()
  const save = (work: () => Promise<void>) =>
    saving(client, async () => {
      await work()
      await Promise.all([
        client.invalidateQueries({ queryKey: ['players'] }),
        client.invalidateQueries({ queryKey: TEAMS_KEY }),
        client.invalidateQueries({ queryKey: ['search'] }),
      ])
    })
  return {
    save: ([large, small]: Blob[]) =>
      save(async () => {
        if (!large || !small) return
        const photo = `${id}/${randomId()}`
        const files = [
          [`${photo}/large.jpg`, large],
          [`${photo}/small.jpg`, small],
        ] as const
        await upload('profile-photos', files)
        const { error } = await supabase.from('profiles').update({ photo }).eq('id', id).select('id').single()
        if (!error) return
        await discard('profile-photos', files)
        throw error
      }),
    remove: () =>
      save(async () => {
        await supabase.from('profiles').update({ photo: null }).eq('id', id).throwOnError()
      }),
  }
}

/** Sets or takes away a team's logo. */
export function useLogoChanges(teamId: string) {
  const client = useQueryClient()
  const save = (work: () => Promise<void>) =>
    saving(client, async () => {
      await work()
      await client.invalidateQueries({ queryKey: TEAMS_KEY })
    })
  return {
    save: ([picture]: Blob[]) =>
      save(async () => {
        if (!picture) return
        const logo = `${teamId}/${randomId()}.png`
        const files = [[logo, picture]] as const
        await upload('team-logos', files)
        const { error } = await supabase.from('teams').update({ logo }).eq('id', teamId).select('id').single()
        if (!error) return
        await discard('team-logos', files)
        throw error
      }),
    remove: () =>
      save(async () => {
        await supabase.from('teams').update({ logo: null }).eq('id', teamId).throwOnError()
      }),
  }
}
