import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Post } from '@/data/timeline/model'
import { LISTS_KEY, postQuery } from '@/data/timeline/queries'

type Pages<Param = unknown> = InfiniteData<Post[], Param>

/** Changes a post wherever it is shown; null takes it away. */
export function changePost(client: QueryClient, id: string, change: (post: Post) => Post | null) {
  client.setQueriesData<Pages>({ queryKey: LISTS_KEY }, (data) => data && withPost(data, id, change))
  client.setQueryData(postQuery(id).queryKey, (post) => post && change(post))
}

export function withPost<Param>(data: Pages<Param>, id: string, change: (post: Post) => Post | null): Pages<Param> {
  const changed = (post: Post) => {
    const next = post.id === id ? change(post) : post
    return next ? [next] : []
  }
  return { ...data, pages: data.pages.map((page) => page.flatMap(changed)) }
}

/** Puts a post where its time says, if it is in none of the pages yet. */
export function withNewPost<Param>(data: Pages<Param>, post: Post): Pages<Param> {
  if (data.pages.some((page) => page.some(({ id }) => id === post.id))) return data
  const [first = [], ...rest] = data.pages
  const at = first.findIndex((other) => other.created_at <= post.created_at)
  const place = at === -1 ? first.length : at
  return { ...data, pages: [[...first.slice(0, place), post, ...first.slice(place)], ...rest] }
}
