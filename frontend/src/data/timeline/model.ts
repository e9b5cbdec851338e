import type { GameRow } from '@/data/games/model'

/** The lists of the timeline, as its address names them. */
export const SCOPES = ['all', 'following', 'team', 'mine'] as const
export type Scope = (typeof SCOPES)[number]

export type Visibility = 'self' | 'team' | 'followers' | 'public'

/** What a card of a game shows of it. */
export type GameCard = Pick<
  GameRow,
  | 'id'
  | 'visitor_name'
  | 'home_name'
  | 'visitor_runs'
  | 'home_runs'
  | 'status'
  | 'inning'
  | 'innings'
  | 'batting'
  | 'home_bats_first'
  | 'played_on'
>

/** A row of timeline(). */
export type Post = {
  id: string
  kind: 'post' | 'result' | 'milestone' | 'commitment'
  created_at: string
  visibility: Visibility
  /** held and removed: only the author and the guardians read it. */
  state: 'shown' | 'held' | 'removed'
  removal_reason: string | null
  body: string
  milestone: string | null
  amount: number | null
  media: string | null
  media_width: number | null
  media_height: number | null
  media_alt: string
  author_id: string | null
  /** Null if the reader may not know it. */
  author_name: string | null
  author_photo: string | null
  author_role: string | null
  team_id: string | null
  team_name: string | null
  game: GameCard | null
  likes: number
  liked: boolean
  comments: number
  /** Why the reader may not comment; null if nothing stands against it. */
  comment_refusal: string | null
}

export type Comment = {
  id: string
  author_id: string
  body: string
  state: string
  removal_reason: string | null
  created_at: string
  author: { full_name: string; photo: string | null; role: string } | null
}

/** What posting_rights() tells; null for those who may not post. */
export type PostingRights = {
  age_known: boolean
  under_13: boolean
  /** Whether the profile is public, which public posts need. */
  is_public: boolean
  /** Whether photos and videos may be added. */
  files: boolean
  teams: { id: string; name: string }[]
}

export type NewPost = {
  body: string
  visibility: Visibility
  team_id: string | null
  game_id?: string
  media?: Media
}

/** An uploaded file, and the size of a picture in pixels. */
export type Media = { path: string; width: number | null; height: number | null; alt: string }

/** Posts of a page, comments of a page. */
export const PAGE = 20
export const COMMENTS = 10
/** Characters. */
export const LONGEST_POST = 2000
export const LONGEST_COMMENT = 1000

export const isVideo = (path: string) => !path.endsWith('.jpg')
