import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FunctionsHttpError } from '@supabase/supabase-js'
import type { ArticleText } from '@/data/newsroom/model'
import { NEWSROOM_KEY } from '@/data/newsroom/queries'
import { isRecord } from '@/lib/is-record'
import { randomId } from '@/lib/random-id'
import { supabase, unwrap } from '@/lib/supabase'

type Recap = { title: string; summary: string; body: string }

type NewArticle = { title: string; teamId: string | null; game: string | null }

/**
 * Begins an article: an empty one, or the recap of a game.
 * @param onBegun called with its id
 */
export function useBeginArticle(onBegun: (id: string) => void | Promise<void>) {
  return useMutation({
    mutationFn: async ({ title, teamId, game }: NewArticle): Promise<string> => {
      const draft = game ? { ...(await draftRecap(game)), kind: 'recap', game_id: game, tags: ['recap'] } : { title }
      return unwrap(
        await supabase
          .from('articles')
          .insert({ ...draft, team_id: teamId })
          .select('id')
          .single(),
      ).id
    },
    onSuccess: onBegun,
  })
}

/** The draft of a recap, from the plays of a final game. */
async function draftRecap(game: string): Promise<Recap> {
  const answer = await supabase.functions.invoke<unknown>('recap', { body: { game } })
  const failure: unknown = answer.error
  if (failure instanceof FunctionsHttpError) {
    const told: unknown = await (failure.context as Response).json().catch(() => null)
    throw new Error(
      isRecord(told) && typeof told.message === 'string' ? told.message : 'The recap could not be drafted.',
    )
  }
  if (failure instanceof Error) throw failure
  const draft = isRecord(answer.data) ? answer.data : {}
  return { title: String(draft.title), summary: String(draft.summary), body: String(draft.body) }
}

/** Changes an article. Each throws the server's error for the form to show. */
export function useArticleChanges(id: string) {
  const client = useQueryClient()
  const changed = () => client.invalidateQueries({ queryKey: NEWSROOM_KEY })
  const save = useMutation({
    mutationFn: async (text: ArticleText) => {
      await supabase.from('articles').update(text).eq('id', id).select('id').single().throwOnError()
    },
    onSuccess: changed,
  })
  /** `at`: a time to come, or null for now. */
  const publish = useMutation({
    mutationFn: async (at: string | null) => {
      const published_at = at ?? new Date().toISOString()
      const change = { status: 'published', published_at }
      await supabase.from('articles').update(change).eq('id', id).select('id').single().throwOnError()
    },
    onSuccess: changed,
  })
  const withdraw = useMutation({
    mutationFn: async () => {
      await supabase.from('articles').update({ status: 'draft' }).eq('id', id).select('id').single().throwOnError()
    },
    onSuccess: changed,
  })
  const correct = useMutation({
    mutationFn: async ({
      note,
      title,
      summary,
      body,
    }: { note: string } & Pick<ArticleText, 'title' | 'summary' | 'body'>) => {
      await supabase.rpc('correct_article', { article_id: id, note, title, summary, body }).throwOnError()
    },
    onSuccess: changed,
  })
  const remove = useMutation({
    mutationFn: async () => {
      await supabase.from('articles').delete().eq('id', id).throwOnError()
    },
    onSuccess: async () => {
      client.removeQueries({ queryKey: [...NEWSROOM_KEY, 'article', id] })
      await changed()
    },
  })
  /** A picture that the browser has drawn anew; null takes the cover away. */
  const cover = useMutation({
    mutationFn: async ({ userId, picture }: { userId: string; picture: Blob | null }) => {
      let cover: string | null = null
      const files = supabase.storage.from('article-covers')
      if (picture) {
        cover = `${userId}/${randomId()}.jpg`
        const { error } = await files.upload(cover, picture, { contentType: 'image/jpeg', cacheControl: '31536000' })
        if (error) throw error
      }
      const { error } = await supabase.from('articles').update({ cover }).eq('id', id).select('id').single()
      if (!error) return
      if (cover) await files.remove([cover])
      throw error
    },
    onSuccess: changed,
  })
  return { save, publish, withdraw, correct, remove, cover }
}

export function useArticleComment(articleId: string) {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: [...NEWSROOM_KEY, 'comments', articleId] })
  return {
    write: useMutation({
      mutationFn: async (body: string) => {
        await supabase.from('article_comments').insert({ article_id: articleId, body }).throwOnError()
      },
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: async (id: string) => {
        await supabase.from('article_comments').delete().eq('id', id).throwOnError()
      },
      onSuccess,
    }),
  }
}
