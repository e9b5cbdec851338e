import type { GameRecord } from '@/data/games/model'
import { Refusal, sendScore, type LineupEntry, type ScoreRequest } from '@/data/games/scoring'
import { messageOf } from '@/lib/errors'
import { keep, readKept, type QueuedRow } from '@/features/games/scoring/queue'

/** Milliseconds between two attempts without an answer. */
const RETRY = 5000
/** Plays in one request, fewer than the server takes. */
const AT_ONCE = 200

export type Trouble = { code: string; message: string; play: string | null; resolution: string }

export type BookState = {
  /** False until the device's own plays are read. */
  ready: boolean
  /** As the server has it; null until it answered once. */
  saved: readonly GameRecord[] | null
  queued: readonly QueuedRow[]
  status: 'saving' | 'saved' | 'offline'
  /** What the server refused. Nothing is sent until the scorer has decided. */
  trouble: Trouble | null
}

/**
 * The plays of one game on one device. Each is kept on the device before it is shown, and sent in order as soon as there is
 * an answer. The server recognises by its id what it has already.
 */
export class Scorebook {
  private state: BookState = { ready: false, saved: null, queued: [], status: 'saving', trouble: null }
  private readonly listeners = new Set<() => void>()
  private device = ''
  private sending = false
  private timer: ReturnType<typeof setTimeout> | undefined
  private open = true
  private storing: Promise<void> = Promise.resolve()
  private readonly userId: string
  private readonly gameId: string
  private readonly onSaved: () => void

  constructor(userId: string, gameId: string, onSaved: () => void) {
    this.userId = userId
    this.gameId = gameId
    this.onSaved = onSaved
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }
  readonly read = () => this.state

  /** Reads what the device kept, takes the lock and sends. */
  async start() {
    const { device, rows } = await readKept(this.userId, this.gameId)
    this.device = device
    await this.store(() => rows, { ready: true })
    window.addEventListener('online', this.wake)
    await this.send({})
  }

  stop() {
    this.open = false
    clearTimeout(this.timer)
    window.removeEventListener('online', this.wake)
  }

  /** Adds a record. */
  add(record: string, outcome: GameRecord['outcome']) {
    return this.enter({ id: crypto.randomUUID(), record, outcome })
  }

  /** Takes a record out of the game; the log keeps it. */
  remove(id: string) {
    return this.enter({ id: crypto.randomUUID(), replaces: id, outcome: null })
  }

  /** Forgets what was refused and is not saved. */
  async discard(ids: ReadonlySet<string>) {
    await this.store((rows) => rows.filter(({ id }) => !ids.has(id)), { trouble: null })
    await this.send({})
  }

  /** Sends what the server refused again, with the scorer's decision. */
  async insist(decision: Pick<ScoreRequest, 'accept' | 'takeover' | 'reason'>) {
    this.set({ trouble: null })
    await this.send(decision)
  }

  /** Saves something besides plays, which needs an answer. Throws what the server refuses. */
  async save(members: Pick<ScoreRequest, 'status' | 'ended' | 'reason' | 'accept'> & { lineups?: LineupEntry[] }) {
    const reply = await sendScore({ game: this.gameId, device: this.device, ...members })
    this.set({ saved: reply.records })
    this.onSaved()
    return reply
  }

  private readonly wake = () => void this.send({})

  private async enter(row: QueuedRow) {
    await this.store((rows) => [...rows, row])
    void this.send({})
  }

  /** Nothing is shown that the device has not kept. One change after the other, so that none overwrites another. */
  private store(change: (rows: readonly QueuedRow[]) => QueuedRow[], also: Partial<BookState> = {}): Promise<void> {
    const done = this.storing.then(async () => {
      const rows = change(this.state.queued)
      await keep(this.userId, this.gameId, { device: this.device, rows })
      this.set({ queued: rows, ...also })
    })
    this.storing = done.catch(() => undefined)
    return done
  }

  private async send(decision: Pick<ScoreRequest, 'accept' | 'takeover' | 'reason'>) {
    if (this.sending || !this.open || !this.state.ready || this.state.trouble) return
    clearTimeout(this.timer)
    this.sending = true
    this.set({ status: 'saving' })
    const sent = this.state.queued.slice(0, AT_ONCE)
    const plays = sent.map(({ id, record, replaces, after }) => ({ id, record, replaces, after }))
    try {
      const reply = await sendScore({ game: this.gameId, device: this.device, plays, ...decision })
      const done = new Set(sent.map(({ id }) => id))
      // At once, so that no play is missing in between.
      await this.store((rows) => rows.filter(({ id }) => !done.has(id)), { saved: reply.records, status: 'saved' })
      this.onSaved()
    } catch (error) {
      this.fail(error)
    }
    this.sending = false
    const { queued, status } = this.state
    if (queued.length > 0 && status === 'saved') void this.send({})
    else if (status === 'offline') this.later()
  }

  private later() {
    if (this.open) this.timer = setTimeout(this.wake, RETRY)
  }

  private fail(error: unknown) {
    if (error instanceof Refusal && error.status < 500) {
      const { code, play, resolution } = error
      this.set({
        status: 'saved',
        trouble: { code, play, resolution, message: messageOf(error, 'The server refused this.') },
      })
    } else this.set({ status: 'offline' })
  }

  private set(changes: Partial<BookState>) {
    this.state = { ...this.state, ...changes }
    this.listeners.forEach((listener) => listener())
  }
}
