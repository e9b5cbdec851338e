import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  COMMENTS,
  DRAFTS,
  PAGE,
  type Article,
  type ArticleComment,
  type ArticleRow,
  type NewsroomRights,
  type Withholding,
} from '@/data/newsroom/model'
import { env } from '@/lib/env'
import { supabase, unwrap } from '@/lib/supabase'
import type { Database } from '@/types/database'

/** Prefix of all keys about articles. */
export const NEWSROOM_KEY = ['newsroom'] as const

/** For feed readers. */
export const RSS_ADDRESS = `${env.supabaseUrl}/rest/v1/rpc/news_rss`

const ROW = `id, title, summary, kind, tags, cover, cover_alt, status, published_at, updated_at, team_id,
  team:teams(name), author:profiles!articles_author_id_fkey(full_name)` as const

/** What is published, the latest first. */
export const articlesQuery = (tag: string) =>
  infiniteQueryOptions({
    queryKey: [...NEWSROOM_KEY, 'list', tag],
    queryFn: async ({ pageParam, signal }): Promise<ArticleRow[]> => {
      let request = supabase
        .from('articles')
        .select(ROW)
        .eq('status', 'published')
        .lte('published_at', new Date().toISOString())
        .is('removal_reason', null)
        .order('published_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(PAGE)
      if (tag) request = request.contains('tags', [tag])
      if (pageParam?.published_at) {
        const { published_at, id } = pageParam
        request = request.or(`published_at.lt."${published_at}",and(published_at.eq."${published_at}",id.lt.${id})`)
      }
      return unwrap(await request.abortSignal(signal))
    },
    initialPageParam: null as { published_at: string | null; id: string } | null,
    getNextPageParam: (page) => (page.length < PAGE ? null : page.at(-1)),
  })

/** One article; null if it does not exist or the reader may not see it. */
export const articleQuery = (id: string) =>
  queryOptions({
    queryKey: [...NEWSROOM_KEY, 'article', id],
    queryFn: async ({ signal }): Promise<Article | null> =>
      unwrap(
        await supabase
          .from('articles')
          .select(
            `${ROW}, body, author_id, game_id, comments_open, corrections:article_corrections(id, note, corrected_at)`,
          )
          .eq('id', id)
          .order('corrected_at', { referencedTable: 'article_corrections' })
          .abortSignal(signal)
          .maybeSingle(),
      ),
  })

/**
 * Why readers do not see an article: it names somebody whose profile is not public, or an admin has removed it. Only signed-in
 * users may read these columns.
 */
export const withholdingQuery = (id: string) =>
  queryOptions({
    queryKey: [...NEWSROOM_KEY, 'withholding', id],
    queryFn: async ({ signal }): Promise<Withholding> => {
      const article = await supabase
        .from('articles')
        .select('names_minor, removal_reason')
        .eq('id', id)
        .abortSignal(signal)
        .maybeSingle()
      const row = unwrap(article)
      return { namesMinor: row?.names_minor ?? false, removalReason: row?.removal_reason ?? null }
    },
  })

/** For whom the user writes. */
export const newsroomRightsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...NEWSROOM_KEY, 'rights', userId],
    queryFn: async ({ signal }): Promise<NewsroomRights> => {
      const rows = unwrap(await supabase.rpc('newsroom_rights').abortSignal(signal)) as NewsroomRights[]
      return rows[0] ?? { site: false, teams: [] }
    },
  })

/**
 * What newsrooms have not published yet, the last changed first. A page may contain drafts of closed teams, which have no newsroom:
 * see mayEdit().
 */
export const draftsQuery = (rights: NewsroomRights) =>
  infiniteQueryOptions({
    queryKey: [...NEWSROOM_KEY, 'drafts', rights],
    queryFn: async ({ pageParam, signal }): Promise<ArticleRow[]> => {
      // Only a newsroom may read what is not published. `now` is the server's.
      let request = supabase
        .from('articles')
        .select(ROW)
        .or('status.eq.draft,and(status.eq.published,published_at.gt.now)')
        .order('updated_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(DRAFTS)
      if (pageParam) {
        const { updated_at, id } = pageParam
        request = request.or(`updated_at.lt."${updated_at}",and(updated_at.eq."${updated_at}",id.lt.${id})`)
      }
      return unwrap(await request.abortSignal(signal))
    },
    initialPageParam: null as { updated_at: string; id: string } | null,
    getNextPageParam: (page) => (page.length < DRAFTS ? null : page.at(-1)),
    enabled: rights.site || rights.teams.length > 0,
  })

/** The last final games of the teams that a user coaches, for recaps. */
export const finalGamesQuery = (userId: string) =>
  queryOptions({
    queryKey: [...NEWSROOM_KEY, 'games', userId],
    queryFn: async ({ signal }): Promise<FinalGame[]> =>
      unwrap(
        await supabase
          .from('games')
          .select(
            `id, owner_team_id, visitor_name, home_name, visitor_runs, home_runs, played_on,
              team:teams!games_owner_team_id_fkey!inner(coaches:team_members!inner(user_id))`,
          )
          .eq('team.active', true)
          .eq('team.coaches.user_id', userId)
          .eq('team.coaches.role', 'coach')
          .eq('team.coaches.status', 'active')
          .eq('status', 'final')
          .order('played_on', { ascending: false })
          .limit(12)
          .abortSignal(signal),
      ),
  })

type Games = Database['public']['Tables']['games']['Row']
/** A game of which a recap can be drafted. */
export type FinalGame = Pick<
  Games,
  'id' | 'owner_team_id' | 'visitor_name' | 'home_name' | 'visitor_runs' | 'home_runs' | 'played_on'
>

/** The comments on an article, the latest first. */
export const articleCommentsQuery = (articleId: string) =>
  infiniteQueryOptions({
    queryKey: [...NEWSROOM_KEY, 'comments', articleId],
    queryFn: async ({ pageParam, signal }): Promise<ArticleComment[]> => {
      let request = supabase
        .from('article_comments')
        .select('id, author_id, body, state, removal_reason, created_at, author:profiles(full_name)')
        .eq('article_id', articleId)
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
