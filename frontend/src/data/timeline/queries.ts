import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { COMMENTS, PAGE, type Comment, type Post, type PostingRights, type Scope } from '@/data/timeline/model'
import { wardsQuery } from '@/data/minors/queries'
import { isUuid } from '@/lib/is-uuid'
import { supabase, unwrap } from '@/lib/supabase'

/** Prefix of all keys about the timeline. */
export const TIMELINE_KEY = ['timeline'] as const
export const LISTS_KEY = [...TIMELINE_KEY, 'list'] as const
export const POST_KEY = [...TIMELINE_KEY, 'post'] as const

/** The posts of a list, the latest first. */
export const timelineQuery = (scope: Scope) =>
  infiniteQueryOptions({
    queryKey: [...LISTS_KEY, scope],
    queryFn: async ({ pageParam, signal }) => {
      const answer = await supabase
        .rpc('timeline', { scope, before_at: pageParam?.created_at, before_id: pageParam?.id })
        .abortSignal(signal)
      return unwrap(answer) as Post[]
    },
    initialPageParam: null as { created_at: string; id: string } | null,
    getNextPageParam: (page) => (page.length < PAGE ? null : page.at(-1)),
  })

/** One post; null if it is gone or the reader may not see it. */
export async function loadPost(id: string): Promise<Post | null> {
  const rows = unwrap(await supabase.rpc('timeline', { only_id: id })) as Post[]
  return rows[0] ?? null
}

/** The post of an address; null if it is gone, or the reader may not see it. */
export const postQuery = (id: string) =>
  queryOptions({
    queryKey: [...POST_KEY, id],
    queryFn: async ({ signal }): Promise<Post | null> => {
      if (!isUuid(id)) return null
      const rows = unwrap(await supabase.rpc('timeline', { scope: 'post', only_id: id }).abortSignal(signal)) as Post[]
      return rows[0] ?? null
    },
  })

/** To whom the user may post; null for those who may not post. */
export const postingRightsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...TIMELINE_KEY, 'rights', userId],
    queryFn: async ({ signal }): Promise<PostingRights | null> => {
      const rows = unwrap(await supabase.rpc('posting_rights').abortSignal(signal))
      return (rows[0] as PostingRights | undefined) ?? null
    },
  })

/** The teams whose channels the user may join: those in which the user or a ward is. */
export const ownTeamsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...TIMELINE_KEY, 'teams', userId],
    queryFn: async ({ client, signal }): Promise<string[]> => {
      const wards = await client.query(wardsQuery(userId))
      const teamsOf = async (person: string) => {
        const members = supabase.from('team_members').select('team_id').eq('user_id', person).eq('status', 'active')
        return unwrap(await members.abortSignal(signal))
      }
      const rows = await Promise.all([userId, ...wards.map(({ ward_id }) => ward_id)].map(teamsOf))
      return [...new Set(rows.flat().map(({ team_id }) => team_id))].sort()
    },
  })

/** The comments on a post, the latest first. */
export const commentsQuery = (postId: string) =>
  infiniteQueryOptions({
    queryKey: [...TIMELINE_KEY, 'comments', postId],
    queryFn: async ({ pageParam, signal }): Promise<Comment[]> => {
      let request = supabase
        .from('post_comments')
        .select('id, author_id, body, state, removal_reason, created_at, author:profiles(full_name, photo, role)')
        .eq('post_id', postId)
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(COMMENTS)
      if (pageParam) {
        const { created_at, id } = pageParam
        request = request.or(`created_at.lt."${created_at}",and(created_at.eq."${created_at}",id.lt.${id})`)
      }
      return unwrap(await request.abortSignal(signal))
    },
    initialPageParam: null as { created_at: string; id: string } | null,
    getNextPageParam: (page) => (page.length < COMMENTS ? null : page.at(-1)),
  })

/** `blocked` is null if the user may not see that profile. */
type Block = { blocked_id: string; created_at: string; blocked: { full_name: string } | null }

/** Whom the user has blocked. */
export const blocksQuery = (userId: string) =>
  queryOptions({
    queryKey: [...TIMELINE_KEY, 'blocks', userId],
    queryFn: async ({ signal }): Promise<Block[]> =>
      unwrap(
        await supabase
          .from('blocks')
          .select('blocked_id, created_at, blocked:profiles!blocks_blocked_id_fkey(full_name)')
          .order('created_at', { ascending: false })
          .abortSignal(signal),
      ),
  })
