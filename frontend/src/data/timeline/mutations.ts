import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { InfiniteData } from '@tanstack/react-query'
import type { NewPost, Post } from '@/data/timeline/model'
import { changePost, withNewPost } from '@/data/timeline/pages'
import { commentsQuery, LISTS_KEY, loadPost, TIMELINE_KEY } from '@/data/timeline/queries'
import { explain } from '@/lib/explain'
import { randomId } from '@/lib/random-id'
import { supabase } from '@/lib/supabase'
import { toast } from '@/ui/toast/toast-state'

const failed = (title: string) => (error: unknown) =>
  toast({ title, description: explain(error, 'Please try again.'), variant: 'error' })

/** Publishes a post. The same id is sent again after a lost answer, so that it is not published twice. */
export function usePublish() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ media, ...post }: NewPost & { id?: string }) => {
      const id = post.id ?? randomId()
      const file = media && {
        media: media.path,
        media_width: media.width,
        media_height: media.height,
        media_alt: media.alt,
      }
      await supabase
        .from('posts')
        .insert({ ...post, ...file, id })
        .throwOnError()
      return loadPost(id)
    },
    onSuccess: (post) => {
      if (!post) return
      client.setQueriesData<InfiniteData<Post[]>>({ queryKey: LISTS_KEY }, (data) => data && withNewPost(data, post))
    },
  })
}

/** Likes a post or takes that back; the page does not wait for the answer. */
export function useLike(post: Post) {
  const client = useQueryClient()
  const show = (liked: boolean) =>
    changePost(client, post.id, (now) =>
      now.liked === liked ? now : { ...now, liked, likes: now.likes + (liked ? 1 : -1) },
    )
  return useMutation({
    mutationFn: async (liked: boolean) => {
      const likes = supabase.from('post_likes')
      if (liked) await likes.upsert({ post_id: post.id }, { ignoreDuplicates: true }).throwOnError()
      else await likes.delete().eq('post_id', post.id).throwOnError()
    },
    onMutate: show,
    onError: (error, liked) => {
      show(!liked)
      failed('Your like was not saved')(error)
    },
  })
}

export function useDeletePost(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      await supabase.from('posts').delete().eq('id', id).throwOnError()
    },
    onSuccess: () => changePost(client, id, () => null),
    onError: failed('The post was not deleted'),
  })
}

/** Writes a comment. Throws the server's error for the form to show. */
export function useComment(postId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: string) => {
      await supabase.from('post_comments').insert({ post_id: postId, body }).throwOnError()
    },
    onSuccess: async () => {
      changePost(client, postId, (post) => ({ ...post, comments: post.comments + 1 }))
      await client.invalidateQueries({ queryKey: commentsQuery(postId).queryKey })
    },
  })
}

export function useDeleteComment(postId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (id: string) => {
      await supabase.from('post_comments').delete().eq('id', id).throwOnError()
    },
    onSuccess: async () => {
      changePost(client, postId, (post) => ({ ...post, comments: Math.max(0, post.comments - 1) }))
      await client.invalidateQueries({ queryKey: commentsQuery(postId).queryKey })
    },
    onError: failed('The comment was not deleted'),
  })
}

/** Blocks somebody, or ends that: neither sees the other's posts and comments. */
export function useBlock() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, blocked }: { id: string; blocked: boolean }) => {
      const blocks = supabase.from('blocks')
      if (blocked) await blocks.upsert({ blocked_id: id }, { ignoreDuplicates: true }).throwOnError()
      else await blocks.delete().eq('blocked_id', id).throwOnError()
    },
    onSuccess: () => client.invalidateQueries({ queryKey: TIMELINE_KEY }),
    onError: failed('That was not saved'),
  })
}
