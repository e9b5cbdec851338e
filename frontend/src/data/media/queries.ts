import { queryOptions, useQuery } from '@tanstack/react-query'
import { batched } from '@/lib/batched'
import { OPENED_PROFILE } from '@/data/players/queries'
import { supabase, unwrap } from '@/lib/supabase'

export type Bucket = 'profile-photos' | 'profile-videos' | 'team-logos' | 'post-media' | 'article-covers'

/** Seconds for which a signed URL is good. SECURITY.md says why. */
export const URL_LIFE = 600
/** Milliseconds after which a URL is asked for again: some time before it ends. */
const FRESH = (URL_LIFE - 120) * 1000
/** Milliseconds within which a URL that does not work is not asked for again. */
const PATIENCE = 5000

/** Prefix of all keys about files. */
const MEDIA_KEY = ['media'] as const

/** Whether the user adds and removes the files of a person: their own as an adult, or a ward's. */
export const mayKeepFilesQuery = (person: string) =>
  queryOptions({
    queryKey: [...MEDIA_KEY, 'kept', person],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('may_keep_files', { person }).abortSignal(signal)),
  })

/** A signed URL of a file; null if there is no such file or the user may not see it. `opened` as in OPENED_PROFILE. */
export const fileUrlQuery = (bucket: Bucket, path: string, opened?: string) =>
  queryOptions({
    queryKey: [...MEDIA_KEY, 'url', bucket, path, opened ?? ''],
    queryFn: () => (opened ? signOne(bucket, path, opened) : signers[bucket](path)),
    staleTime: FRESH,
    gcTime: FRESH,
  })

async function signOne(bucket: Bucket, path: string, opened: string): Promise<string | null> {
  const files = supabase.storage.from(bucket).setHeader(OPENED_PROFILE, opened)
  const { data, error } = await files.createSignedUrls([path], URL_LIFE)
  if (error) throw error
  return data[0]?.signedUrl ?? null
}

const signAll = (bucket: Bucket) =>
  batched<string>(async (paths) => {
    const { data, error } = await supabase.storage.from(bucket).createSignedUrls(paths, URL_LIFE)
    if (error) throw error
    return new Map(data.flatMap(({ path, signedUrl }) => (path && signedUrl ? [[path, signedUrl] as const] : [])))
  })
const signers: Readonly<Record<Bucket, (path: string) => Promise<string | null>>> = {
  'profile-photos': signAll('profile-photos'),
  'profile-videos': signAll('profile-videos'),
  'team-logos': signAll('team-logos'),
  'post-media': signAll('post-media'),
  'article-covers': signAll('article-covers'),
}

/** For `Face`: the URL, and what to do when it does not work. */
export type FileUrl = { url: string | undefined; onBroken: () => void }

function useFileUrl(bucket: Bucket, path: string | undefined, opened?: string): FileUrl {
  const query = useQuery({ ...fileUrlQuery(bucket, path ?? '', opened), enabled: Boolean(path) })
  return {
    url: path ? (query.data ?? undefined) : undefined,
    onBroken: () => {
      if (Date.now() - query.dataUpdatedAt > PATIENCE) void query.refetch()
    },
  }
}

/** A person's photo (`profiles.photo`), 96 or 512 pixels wide. On the person's own page `opened` is the person. */
export const usePhoto = (photo: string | null | undefined, size: 'small' | 'large', opened?: string): FileUrl =>
  useFileUrl('profile-photos', photo ? `${photo}/${size}.jpg` : undefined, opened)

/** A team's logo (`teams.logo`). */
export const useLogo = (logo: string | null | undefined): FileUrl => useFileUrl('team-logos', logo ?? undefined)

/** The cover of an article (`articles.cover`). */
export const useCover = (cover: string | null): FileUrl => useFileUrl('article-covers', cover ?? undefined)
