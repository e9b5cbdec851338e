/** An article in a list. */
export type ArticleRow = {
  id: string
  title: string
  summary: string
  kind: string
  tags: string[]
  cover: string | null
  cover_alt: string
  status: string
  published_at: string | null
  updated_at: string
  team_id: string | null
  team: { name: string } | null
  /** Null if the reader may not know the name. */
  author: { full_name: string } | null
}

export type Correction = { id: string; note: string; corrected_at: string }

export type Article = ArticleRow & {
  body: string
  author_id: string | null
  game_id: string | null
  comments_open: boolean
  corrections: Correction[]
}

export type ArticleComment = {
  id: string
  author_id: string
  body: string
  state: string
  removal_reason: string | null
  created_at: string
  author: { full_name: string } | null
}

/** Why a published article is hidden from readers. */
export type Withholding = { namesMinor: boolean; removalReason: string | null }

/** For whom the user writes: the site, and teams. */
export type NewsroomRights = { site: boolean; teams: { id: string; name: string }[] }

/** What the editor changes. */
export type ArticleText = {
  title: string
  summary: string
  body: string
  tags: string[]
  cover_alt: string
  comments_open: boolean
}

/** Articles, drafts and comments of a page. */
export const PAGE = 12
export const DRAFTS = 20
export const COMMENTS = 20

/** Whether everybody reads it now. */
export const isPublic = ({ status, published_at }: Pick<ArticleRow, 'status' | 'published_at'>, now = Date.now()) =>
  status === 'published' && published_at !== null && new Date(published_at).getTime() <= now

/** Whether the user writes this article. */
export const mayEdit = ({ team_id }: Pick<ArticleRow, 'team_id'>, rights: NewsroomRights | null | undefined) =>
  Boolean(rights && (team_id === null ? rights.site : rights.teams.some(({ id }) => id === team_id)))
