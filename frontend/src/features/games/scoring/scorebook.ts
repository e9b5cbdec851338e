import type { GameArm } from '@/data/games/arms'
import { changeKept, unsentOf, type Kept, type QueuedRow } from '@/data/games/kept'
import type { GameRecord } from '@/data/games/model'
import { sendOverride, type PitchOverride, type PitchRule } from '@/data/games/overrides'
import {
  Refusal,
  sendScore,
  type LineupEntry,
  type LogRow,
  type ScoreReply,
  type ScoreRequest,
} from '@/data/games/scoring'
import { holdTabLock } from '@/features/games/scoring/tab-lock'
import { messageOf } from '@/lib/errors'
import { randomId } from '@/lib/random-id'

/** Milliseconds between two attempts without an answer. */
const RETRY = 5000
/** Plays in one request, fewer than the server takes. */
const AT_ONCE = 200
/** Refusals that a later attempt may pass: an expired token, a timeout, too many requests. */
const PASSING = [401, 408, 429]

export type Trouble = { code: string; message: string; play: string | null; resolution: string }

export type BookState = {
  /** False until the device's own plays are read. */
  ready: boolean
  /** Why this page cannot score: another tab does, or the browser stores nothing. */
  blocked: 'tab' | 'storage' | null
  /** As the server has it, or had it when this device last asked; null if it never replied. */
  saved: readonly GameRecord[] | null
  /** The revision of `saved`. */
  revision: number
  /** By its rules the game was over in `saved`. */
  decided: boolean
  /** The server replied, or could not be reached, since the book was opened. */
  tried: boolean
  queued: readonly QueuedRow[]
  pitches: Kept['pitches']
  arms: Kept['arms']
  overrides: Kept['overrides']
  /** Plays that another device saved while this one was out of touch and had plays of its own, by id. */
  rivals: Kept['rivals']
  /** Why the server refused to log the first unsent override. No override is sent until the scorer has decided. */
  unlogged: string | null
  status: 'saving' | 'saved' | 'offline'
  /** What the server refused. Nothing is sent until the scorer has decided. */
  trouble: Trouble | null
}

const CLOSED: BookState = {
  ready: false,
  blocked: null,
  saved: null,
  revision: 0,
  decided: false,
  tried: false,
  queued: [],
  pitches: { after: null, text: '' },
  arms: null,
  overrides: [],
  rivals: [],
  unlogged: null,
  status: 'saving',
  trouble: null,
}

type Decision = Pick<ScoreRequest, 'accept' | 'takeover' | 'reason'>

/** Whether the server refused the request, so that a retry would fail, too. */
const isRefused = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.status < 500 && !PASSING.includes(error.status)

/** What of the stored game is shown. */
const stateOf = ({ saved, revision, decided, pitches, arms, overrides, rivals }: Omit<Kept, 'device' | 'rows'>) => ({
  saved,
  revision,
  decided,
  pitches,
  arms,
  overrides,
  rivals,
})

/** Asks the scorer before plays are sent that another device may have saved in another version. */
const CONFLICT: Trouble = {
  code: 'CONFLICT',
  message: 'Another phone saved plays while this one could not. Compare both versions and decide which to keep.',
  play: null,
  resolution: '',
}

const asSent = ({ id, record, replaces, after }: LogRow): LogRow => ({ id, record, replaces, after })

/**
 * The plays of one game on one device. Each is kept on the device before it is shown, and sent in order as soon as there is
 * an answer. The server recognizes by its id what it has already. One tab at a time has the book open.
 */
export class Scorebook {
  private state = CLOSED
  private readonly listeners = new Set<() => void>()
  private device = ''
  private sending = false
  /** No reply since the last failure, so that another device may have saved plays. */
  private apart = true
  private logging = false
  private timer: ReturnType<typeof setTimeout> | undefined
  /** Aborted when the book is closed. */
  private life = new AbortController()
  private storing: Promise<unknown> = Promise.resolve()
  private tapped: Kept['pitches'] | null = null
  private readonly userId: string
  private readonly gameId: string
  private readonly title: string
  private readonly onSaved: () => void

  constructor(userId: string, gameId: string, title: string, onSaved: () => void) {
    this.userId = userId
    this.gameId = gameId
    this.title = title
    this.onSaved = onSaved
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }
  readonly read = () => this.state

  /** Waits for the other tabs, reads what the device kept, takes the scorer's lock and sends. */
  async start() {
    const { signal } = (this.life = new AbortController())
    this.state = CLOSED
    this.tapped = null
    this.apart = true
    window.addEventListener('online', this.wake)
    try {
      await holdTabLock(`score:${this.userId}:${this.gameId}`, signal, () => this.set({ blocked: 'tab' }))
      if (signal.aborted) return
      await this.store((kept) => ({ ...kept, title: this.title }), { ready: true })
    } catch {
      if (!signal.aborted) this.set({ blocked: 'storage' })
      return
    }
    await this.send({})
  }

  stop() {
    this.life.abort()
    clearTimeout(this.timer)
    window.removeEventListener('online', this.wake)
  }

  /** Opens the book again after the browser stored nothing. */
  async restart() {
    this.stop()
    await this.start()
  }

  /** Adds a record; false if the device could not keep it. */
  add(record: string, outcome: GameRecord['outcome'], id = randomId()) {
    return this.enter({ id, record, outcome })
  }

  /** Takes a record out of the game; the log keeps it. */
  remove(id: string) {
    return this.enter({ id: randomId(), replaces: id, outcome: null })
  }

  /** Puts another record in the place of one. With `accept` even if it contradicts others. */
  replace(id: string, record: string, outcome: GameRecord['outcome'], accept: boolean) {
    return this.enter({ id: randomId(), record, replaces: id, outcome }, accept ? { accept } : {})
  }

  /** What the game would be with another record in the place of one. Needs an answer, and saves nothing. */
  preview(id: string, record: string) {
    const plays = [...this.state.queued, { id: randomId(), record, replaces: id }].map(asSent)
    return sendScore({ game: this.gameId, device: this.device, plays, preview: true })
  }

  /** Stores the pitches of the unfinished plate appearance, after the play with this id, and sends them to watchers. */
  async pitch(after: string | null, text: string) {
    this.tapped = { after, text }
    await this.store((kept) => ({ ...kept, pitches: { after, text } })).catch(() => (this.tapped = null))
    void this.send({})
  }

  /** The pitches after the play with this id, including pitches still being stored, so that a quick second tap adds to them. */
  pitchesAfter(after: string | null): string | null {
    const { text, ...last } = this.tapped ?? this.state.pitches
    return last.after === after ? text : null
  }

  /** Forgets what was refused and is not saved. */
  async discard(ids: ReadonlySet<string>) {
    await this.store((kept) => ({ ...kept, rows: kept.rows.filter(({ id }) => !ids.has(id)) }), { trouble: null })
    await this.send({})
  }

  /** Decides between the plays of this device and those that another one saved meanwhile. With `both`, its own come after them. */
  async settle(keep: 'mine' | 'theirs' | 'both') {
    const merge = ({ rows, rivals, saved }: Kept) => {
      const current = rivals.filter((id) => saved?.some((record) => record.id === id))
      const removals = current.map((id) => ({ id: randomId(), replaces: id, outcome: null })).reverse()
      return keep === 'theirs' ? [] : keep === 'mine' ? [...removals, ...rows] : rows
    }
    await this.store((kept) => ({ ...kept, rows: merge(kept), rivals: [] }), { trouble: null })
    await this.send({})
  }

  /** Sends what the server refused again, with the scorer's decision. */
  async insist(decision: Decision) {
    this.set({ trouble: null })
    await this.send(decision)
  }

  /** Saves something besides plays, which needs an answer. Throws what the server refuses. */
  async save(members: Pick<ScoreRequest, 'status' | 'ended' | 'reason' | 'accept'> & { lineups?: LineupEntry[] }) {
    const reply = await sendScore({ game: this.gameId, device: this.device, ...members })
    await this.store((kept) => this.withReply(kept, reply), { tried: true })
    this.onSaved()
    return reply
  }

  /** Takes over the pitchers' counts from the server, and stores them for offline use. They count even if storing fails. */
  async keepArms(arms: readonly GameArm[]) {
    if (!this.state.ready || this.state.blocked) return
    const done = this.storing.then(() => {
      this.set({ arms })
      return changeKept(this.userId, this.gameId, (kept) => ({ ...kept, arms }))
    })
    this.storing = done.catch(() => undefined)
    await this.storing
  }

  /** Overrides a rule for a pitcher in this game; false if the device could not store the reason. */
  async override(athlete: string, rule: PitchRule, reason: string): Promise<boolean> {
    const entry: PitchOverride = { id: randomId(), athlete, rule, reason, sent: false }
    const add = (all: readonly PitchOverride[]) =>
      all.some((one) => one.athlete === athlete && one.rule === rule) ? all : [...all, entry]
    try {
      await this.store((kept) => ({ ...kept, overrides: add(kept.overrides) }))
    } catch {
      return false
    }
    void this.log()
    return true
  }

  /** Tries again to send the refused override. */
  async insistOnOverride() {
    this.set({ unlogged: null })
    await this.log()
  }

  /** Discards the refused override, which stops the pitcher again. */
  async discardOverride() {
    const [refused] = unsentOf(this.state.overrides)
    const left = (all: readonly PitchOverride[]) => all.filter(({ id }) => id !== refused?.id)
    await this.store((kept) => ({ ...kept, overrides: left(kept.overrides) }), { unlogged: null })
    await this.log()
  }

  private readonly wake = () => {
    void this.send({})
    void this.log()
  }

  private async enter(row: QueuedRow, decision: Decision = {}): Promise<boolean> {
    try {
      await this.store((kept) => ({ ...kept, rows: [...kept.rows, row] }))
    } catch {
      return false
    }
    void this.send(decision)
    return true
  }

  /** Nothing is shown that the device has not kept. One change follows the other, so that states are shown in order. */
  private store(change: (kept: Kept) => Kept, also: Partial<BookState> = {}): Promise<void> {
    const done = this.storing.then(async () => {
      try {
        const { device, rows, ...kept } = await changeKept(this.userId, this.gameId, change)
        this.device = device
        this.set({ ...stateOf(kept), queued: rows, blocked: null, ...also })
      } catch (error) {
        this.set({ blocked: 'storage' })
        throw error
      }
    })
    this.storing = done.catch(() => undefined)
    return done
  }

  /** An older reply must not replace a newer one. The first one counts even if the server's data were restored. */
  private withReply(kept: Kept, { records, revision, decided }: ScoreReply): Kept {
    const stale = this.state.tried && revision < kept.revision
    return stale ? kept : { ...kept, saved: records, revision, decided }
  }

  private async send(decision: Decision) {
    const { signal } = this.life
    if (this.sending || signal.aborted || !this.state.ready || this.state.trouble) return
    clearTimeout(this.timer)
    this.sending = true
    this.set({ status: 'saving' })
    const { pitches } = this.state
    try {
      if (this.apart && this.state.queued.length > 0) await this.compare(decision)
      if (this.state.rivals.length > 0) this.set({ status: 'saved', trouble: CONFLICT })
      else await this.exchange(decision)
      this.apart = false
    } catch (error) {
      this.fail(error)
    }
    this.sending = false
    const { queued, status, blocked } = this.state
    const more = queued.length > 0 || this.state.pitches.text !== pitches.text
    if (more && status === 'saved' && !blocked) void this.send({})
    else if (status === 'offline') this.later()
    if (status !== 'offline') void this.log()
  }

  /** Asks for the game before the queue is sent. Plays after those that this device knew are another device's. */
  private async compare({ takeover }: Decision) {
    const reply = await sendScore({ game: this.gameId, device: this.device, takeover: takeover ?? false })
    const own = new Set([...(this.state.saved ?? []), ...this.state.queued].map(({ id }) => id))
    const news = reply.records.slice(reply.records.findLastIndex(({ id }) => own.has(id)) + 1).map(({ id }) => id)
    await this.store((kept) => ({ ...this.withReply(kept, reply), rivals: [...kept.rivals, ...news] }), { tried: true })
  }

  /** Sends the queue, and takes over the game as the server has it then. */
  private async exchange(decision: Decision) {
    const sent = this.state.queued.slice(0, AT_ONCE)
    const plays = sent.map(asSent)
    const { pitches, revision } = this.state
    const turn = { after: pitches.after, pitches: pitches.text }
    const reply = await sendScore({ game: this.gameId, device: this.device, plays, turn, ...decision })
    const done = new Set(sent.map(({ id }) => id))
    // In one change, so that no play is missing in between.
    await this.store(
      (kept) => ({ ...this.withReply(kept, reply), rows: kept.rows.filter(({ id }) => !done.has(id)) }),
      {
        status: 'saved',
        tried: true,
      },
    )
    if (sent.length > 0 || reply.revision !== revision) this.onSaved()
  }

  /** Sends the unsent overrides in order. The server recognizes a repeated one by its id. */
  private async log() {
    const { signal } = this.life
    if (this.logging || !this.state.ready || this.state.unlogged) return
    this.logging = true
    try {
      let [next] = unsentOf(this.state.overrides)
      while (next && !signal.aborted) {
        const { id } = next
        await sendOverride(this.gameId, next)
        const mark = (one: PitchOverride) => (one.id === id ? { ...one, sent: true } : one)
        await this.store((kept) => ({ ...kept, overrides: kept.overrides.map(mark) }))
        ;[next] = unsentOf(this.state.overrides)
      }
    } catch (error) {
      if (isRefused(error)) this.set({ unlogged: messageOf(error, 'The server refused this.') })
      else if (!this.state.blocked) this.later()
    }
    this.logging = false
  }

  private later() {
    clearTimeout(this.timer)
    if (!this.life.signal.aborted) this.timer = setTimeout(this.wake, RETRY)
  }

  private fail(error: unknown) {
    if (this.state.blocked) return
    if (isRefused(error)) {
      const { code, play, resolution } = error
      this.apart ||= code === 'OTHER_SCORER'
      const message = messageOf(error, 'The server refused this.')
      this.set({ status: 'saved', tried: true, trouble: { code, play, resolution, message } })
    } else {
      this.apart = true
      this.set({ status: 'offline', tried: true })
    }
  }

  private set(changes: Partial<BookState>) {
    this.state = { ...this.state, ...changes }
    this.listeners.forEach((listener) => listener())
  }
}
