import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { isUuid } from '@/lib/is-uuid'
import { supabase, unwrap } from '@/lib/supabase'
import { paths } from '@/lib/paths'
import { wordsOf, type View } from '@/ui/table/model'
import type { Bucket } from '@/data/media/queries'
import { contains, readAll, readPage, type Read } from '@/data/admin/pages'

/** A list that the server searches, filters, sorts and hands out page by page. */
function pagedList<Row>(name: string, read: (view: View, signal?: AbortSignal) => Read<Row>) {
  return {
    page: (view: View) =>
      queryOptions({
        queryKey: ['admin', name, view],
        queryFn: ({ signal }) => readPage(read(view, signal), view.page),
        placeholderData: keepPreviousData,
      }),
    everyRow: (view: View) => readAll(read(view)),
  }
}

/** What a view sorts by, as the database calls it. */
const orderOf = ({ sort }: View, columns: Readonly<Record<string, string>>) => ({
  column: (sort && columns[sort.column]) || 'created_at',
  ascending: sort && columns[sort.column] ? !sort.descending : false,
})

/** Columns of the table of users, as the database calls them. */
const USERS_ORDER = {
  name: 'full_name',
  email: 'email',
  role: 'role',
  tier: 'tier',
  tokens: 'referral_tokens',
  since: 'created_at',
  state: 'suspended_at',
} as const

/** Every account, the newest first. */
export const usersList = pagedList('users', (view, signal) => (from, to) => {
  let request = supabase.from('admin_users').select('*', { count: 'exact' })
  for (const word of wordsOf(view.search)) request = request.or(contains(word, ['full_name', 'email'], ['id']))
  const { role, state } = view.filters
  if (role) request = request.eq('role', role)
  if (state === 'suspended') request = request.not('suspended_at', 'is', null)
  if (state === 'active') request = request.is('suspended_at', null)
  if (state === 'unverified') request = request.eq('profile', 'scout').is('verified_at', null)
  const { column, ascending } = orderOf(view, USERS_ORDER)
  request = request.order(column, { ascending, nullsFirst: false }).order('id').range(from, to)
  return signal ? request.abortSignal(signal) : request
})

/** The audit log, the newest first. */
export const auditList = pagedList('audit', (view, signal) => (from, to) => {
  let request = supabase.from('admin_audit_log').select('*', { count: 'exact' })
  for (const word of wordsOf(view.search)) {
    request = request.or(contains(word, ['actor_name', 'subject_name', 'reason'], ['actor_id', 'subject_user_id']))
  }
  const { action, actor, subject } = view.filters
  if (action) request = request.eq('action', action)
  if (actor) request = request.eq('actor_id', actor)
  if (subject) request = request.eq('subject_user_id', subject)
  const { column, ascending } = orderOf(view, { when: 'created_at', why: 'reason' })
  request = request.order(column, { ascending, nullsFirst: false }).order('id', { ascending: false }).range(from, to)
  return signal ? request.abortSignal(signal) : request
})

/** A report as its row shows it. The names are null for those who have left. */
export type Report = {
  id: string
  reason: string
  details: string
  created_at: string
  reporter_id: string | null
  reporter_name: string | null
  resolution: string | null
  handled_at: string | null
  handler_name: string | null
}

/** All reports of one thing that are in the same state: a row of admin_reports. */
export type ReportGroup = {
  /** The newest report's. */
  id: string
  subject_kind: string
  subject_id: string | null
  subject_user_id: string | null
  subject_name: string | null
  status: string
  created_at: string
  /** How many there are. */
  reports: number
  report_ids: string[]
  /** One for each report, sorted. */
  reasons: string[]
  /** The newest five. */
  latest: Report[]
}

const REPORT_COLUMNS =
  'id, subject_kind, subject_id, subject_user_id, subject_name, status, created_at, reports, report_ids, reasons, latest'

/** What users reported, by thing, the newest first. */
export const reportsList = pagedList('reports', (view, signal) => (from, to) => {
  let request = supabase.from('admin_reports').select(REPORT_COLUMNS, { count: 'exact' })
  for (const word of wordsOf(view.search)) {
    const names = contains(word, ['said', 'subject_name'], ['subject_user_id'])
    request = request.or(isUuid(word) ? `${names},reporter_ids.cs.{${word}}` : names)
  }
  const { status, reason } = view.filters
  if (status) request = request.eq('status', status)
  if (reason) request = request.contains('reasons', [reason])
  const { column, ascending } = orderOf(view, {
    when: 'created_at',
    what: 'subject_kind',
    why: 'reports',
    state: 'status',
  })
  request = request.order(column, { ascending, nullsFirst: false }).order('id').range(from, to)
  return (signal ? request.abortSignal(signal) : request).overrideTypes<ReportGroup[], { merge: false }>()
})

/** What people wrote by the contact page, the newest first. */
export const messagesList = pagedList('messages', (view, signal) => (from, to) => {
  let request = supabase
    .from('contact_messages')
    .select('id, created_at, user_id, name, email, subject, message, handled_at', { count: 'exact' })
  for (const word of wordsOf(view.search)) {
    request = request.or(contains(word, ['name', 'email', 'subject', 'message'], ['user_id']))
  }
  const { state } = view.filters
  if (state === 'open') request = request.is('handled_at', null)
  if (state === 'done') request = request.not('handled_at', 'is', null)
  const { column, ascending } = orderOf(view, {
    when: 'created_at',
    from: 'name',
    subject: 'subject',
    state: 'handled_at',
  })
  request = request.order(column, { ascending, nullsFirst: false }).order('id').range(from, to)
  return signal ? request.abortSignal(signal) : request
})

/** One thing that is reported. `state` is that of posts, comments and articles, which admins remove and show again. */
export type ReportedThing = { title: string; url: string | null; state: string | null; media: ReportedMedia | null }

/** A file that belongs to it. `alt` is the author's description. */
export type ReportedMedia = { bucket: Bucket; path: string; alt: string }

const mediaOf = (bucket: Bucket, path: string | null, alt: string): ReportedMedia | null =>
  path === null ? null : { bucket, path, alt }

/** How much of a text the list shows, in characters. */
const EXCERPT = 200

const excerpt = (text: string, otherwise: string) => {
  const words = text.trim() || otherwise
  return `“${words.length > EXCERPT ? `${words.slice(0, EXCERPT)}…` : words}”`
}

const READERS: Readonly<Record<string, (id: string, signal: AbortSignal) => Promise<ReportedThing | null>>> = {
  video: async (id, signal) => {
    const videos = supabase.from('videos').select('title, url, path').eq('id', id)
    const row = unwrap(await videos.abortSignal(signal).maybeSingle())
    if (!row) return null
    const { title, url, path } = row
    return { title, url, state: null, media: mediaOf('profile-videos', path, title) }
  },
  measurement: async (id, signal) => {
    const measured = supabase.from('measurements').select('kind, value, unit').eq('id', id)
    const row = unwrap(await measured.abortSignal(signal).maybeSingle())
    if (!row) return null
    const title = `${row.kind.replaceAll('_', ' ')} ${row.value} ${row.unit}`
    return { title, url: null, state: null, media: null }
  },
  post: async (id, signal) => {
    const posts = supabase.from('posts').select('body, media, media_alt, state').eq('id', id)
    const row = unwrap(await posts.abortSignal(signal).maybeSingle())
    if (!row) return null
    const title = excerpt(row.body, row.media ? 'A file' : 'A result')
    return { title, url: null, state: row.state, media: mediaOf('post-media', row.media, row.media_alt) }
  },
  comment: async (id, signal) => {
    const comments = supabase.from('post_comments').select('body, state').eq('id', id)
    const row = unwrap(await comments.abortSignal(signal).maybeSingle())
    return row && { title: excerpt(row.body, ''), url: null, state: row.state, media: null }
  },
  article: async (id, signal) => {
    const articles = supabase.from('articles').select('title, removal_reason, cover, cover_alt').eq('id', id)
    const row = unwrap(await articles.abortSignal(signal).maybeSingle())
    if (!row) return null
    const { title, cover, cover_alt } = row
    const state = row.removal_reason === null ? 'shown' : 'removed'
    return {
      title,
      url: paths.articleById.replace(':id', id),
      state,
      media: mediaOf('article-covers', cover, cover_alt),
    }
  },
  article_comment: async (id, signal) => {
    const comments = supabase.from('article_comments').select('body, state').eq('id', id)
    const row = unwrap(await comments.abortSignal(signal).maybeSingle())
    return row && { title: excerpt(row.body, ''), url: null, state: row.state, media: null }
  },
}

/** What a report is about, where that is one thing: null where it is gone. */
export const reportedThingQuery = (kind: string, id: string | null) =>
  queryOptions({
    queryKey: ['admin', 'reported', kind, id],
    // What users send as an id may be anything.
    enabled: kind in READERS && isUuid(id ?? ''),
    queryFn: ({ signal }) => READERS[kind]?.(id ?? '', signal) ?? null,
  })
