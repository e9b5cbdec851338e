import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client, type QueryResultRow } from 'pg'

const REPOSITORY = resolve(import.meta.dirname, '../..')
export const BINARY = resolve(process.env.DUGOUT_BIN ?? join(REPOSITORY, 'target/debug/dugout'))
/** Seconds for a start; generous, because test machines are busy. */
const START_TIMEOUT = 60
/** Names the folder of the data directories that template.ts has made. */
const TEMPLATES = 'DUGOUT_E2E_TEMPLATES'

/** What `dugout status -o json` prints, under the names of `supabase status -o env`. */
export type Status = { API_URL: string; ANON_KEY: string; SERVICE_ROLE_KEY: string; JWT_SECRET: string; DB_URL: string }

type Options = {
  /** New accounts are to be confirmed by mail. Then this is a server for development, which keeps every letter and is seeded. */
  confirmations?: boolean
  /** With the invented people of supabase/seeds/; everybody's password is `dugout-demo`. */
  seeded?: boolean
  /** Seconds for which an access token lasts. */
  tokenLife?: number
  /** GoTrue's own settings, which are stronger than the project's file. */
  variables?: Record<string, string>
}

/**
 * The real binary with a PostgreSQL and a project of its own in a temporary folder.
 * The project is this repository's, except that access tokens last 60 seconds unless told otherwise: auth-js takes a token for expired
 * 90 seconds before it is, so that every reload refreshes; and that authenticators know it by its own port.
 */
export class Dugout {
  readonly url: string
  private readonly folder: string
  private readonly port: number
  private readonly options: Options
  private server: ChildProcess | null = null

  private constructor(folder: string, port: number, options: Options) {
    this.folder = folder
    this.port = port
    this.options = options
    this.url = `http://127.0.0.1:${port}`
  }

  static async start(options: Options = {}): Promise<Dugout> {
    const { confirmations = false, seeded = false, tokenLife = 60 } = options
    const folder = mkdtempSync(join(tmpdir(), 'dugout-e2e-'))
    // Started by root, PostgreSQL runs as somebody else, who must be able to pass here.
    chmodSync(folder, 0o711)
    const project = join(folder, 'project', 'supabase')
    mkdirSync(project, { recursive: true })
    cpSync(join(REPOSITORY, 'supabase'), project, { recursive: true })
    const port = await freePort()
    const config = readFileSync(join(project, 'config.toml'), 'utf8')
      .replace(/^jwt_expiry = .*$/m, `jwt_expiry = ${tokenLife}`)
      .replace(/^rp_origins = .*$/m, `rp_origins = ["http://localhost:${port}"]`)
      .replace(/^site_url = .*$/m, `site_url = "http://127.0.0.1:${port}"`)
      .replace(/^enable_confirmations = .*$/m, `enable_confirmations = ${confirmations}`)
      .replace(/^port = 54322$/m, `port = ${await freePort()}`)
    writeFileSync(join(project, 'config.toml'), config)
    const dugout = new Dugout(folder, port, options)
    try {
      const isCopy = !confirmations && dugout.copyTemplate(seeded ? 'seeded' : 'plain')
      await dugout.launch()
      if (seeded && !isCopy) await dugout.seed()
    } catch (error) {
      await dugout.stop()
      throw error
    }
    return dugout
  }

  /** Ends the server as a power cut would, and starts it again over what is left. */
  async killAndRestart(): Promise<void> {
    await this.end('SIGKILL')
    await this.launch()
  }

  /** Stops the server in good order and removes everything. */
  async stop(): Promise<void> {
    await this.end('SIGTERM')
    rmSync(this.folder, { recursive: true, force: true })
  }

  async status(): Promise<Status> {
    const { stdout } = await promisify(execFile)(BINARY, ['status', '-o', 'json', '--data-dir', this.dataDir])
    return JSON.parse(stdout) as Status
  }

  /** Asks the database itself, past every policy. */
  async query<Row extends QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: (await this.status()).DB_URL })
    await client.connect()
    try {
      return (await client.query<Row>(sql, values.length > 0 ? values : undefined)).rows
    } finally {
      await client.end()
    }
  }

  /** Makes the data directories that later starts copy: a first start and the seeds take longer than most tests. */
  static async makeTemplates(folder: string): Promise<void> {
    const dugout = await Dugout.start()
    try {
      await dugout.end('SIGTERM')
      copyFolder(dugout.dataDir, join(folder, 'plain'))
      await dugout.launch()
      await dugout.seed()
      await dugout.end('SIGTERM')
      copyFolder(dugout.dataDir, join(folder, 'seeded'))
    } finally {
      await dugout.stop()
    }
    process.env[TEMPLATES] = folder
  }

  /** Starts from a template's data directory; false if template.ts has not made one. */
  private copyTemplate(name: 'plain' | 'seeded'): boolean {
    const template = join(process.env[TEMPLATES] ?? '', name)
    if (!process.env[TEMPLATES] || !existsSync(template)) return false
    copyFolder(template, this.dataDir)
    return true
  }

  private async seed(): Promise<void> {
    for (const name of ['demo.sql', 'demo_numbers.sql']) {
      await this.query(readFileSync(join(REPOSITORY, 'supabase/seeds', name), 'utf8'))
    }
  }

  /** The link of the last letter to an address. */
  async mailedLink(address: string): Promise<string> {
    const letter = await this.mailed(address)
    const link = /href="([^"]+)"/.exec(letter)?.[1]
    if (!link) throw new Error(`No link in the letter to ${address}: ${letter}`)
    return link.replaceAll('&amp;', '&')
  }

  /** The code of the last letter to an address. */
  async mailedCode(address: string): Promise<string> {
    const letter = await this.mailed(address)
    const code = /\b\d{6}\b/.exec(letter)?.[0]
    if (!code) throw new Error(`No code in the letter to ${address}: ${letter}`)
    return code
  }

  private async mailed(address: string): Promise<string> {
    type Letters = { messages: { ID: string; To: { Address: string }[] }[] }
    const { messages } = (await (await fetch(`${this.url}/mailbox/api/v1/messages`)).json()) as Letters
    const letter = messages.find(({ To }) => To.some(({ Address }) => Address === address))
    if (!letter) throw new Error(`No letter to ${address}.`)
    const { HTML } = (await (await fetch(`${this.url}/mailbox/api/v1/message/${letter.ID}`)).json()) as { HTML: string }
    return HTML
  }

  /** Runs another command of the program beside the server, and returns its output. Throws if the command fails. */
  async run(...command: string[]): Promise<string> {
    const project = join(this.folder, 'project')
    const { stdout } = await promisify(execFile)(BINARY, [...command, '--data-dir', this.dataDir, '--project', project])
    return stdout
  }

  /** Makes somebody an admin in the one way there is: `dugout admin grant`, here beside the running server. */
  async grantAdmin(email: string): Promise<void> {
    await this.run('admin', 'grant', email)
  }

  /** How many files and sockets the server has open. Linux only. */
  descriptors(): number {
    return readdirSync(`/proc/${this.server?.pid ?? 0}/fd`).length
  }

  /** The folder of all uploaded files. */
  get storage() {
    return join(this.dataDir, 'storage')
  }

  private get dataDir() {
    return join(this.folder, 'data')
  }

  private async launch(): Promise<void> {
    const log = join(this.folder, 'server.log')
    const output = openSync(log, 'a')
    const args = [
      'start',
      '--port',
      String(this.port),
      '--data-dir',
      this.dataDir,
      '--project',
      join(this.folder, 'project'),
      ...(this.options.confirmations ? ['--dev'] : []),
    ]
    // Nothing here has to survive a power failure.
    const env = { DUGOUT_DB_DURABILITY: 'none', ...process.env, ...this.options.variables }
    const server = spawn(BINARY, args, { env, stdio: ['ignore', output, output] })
    this.server = server
    const failed = once(server, 'error').then(([error]) => Promise.reject(error as Error))
    await Promise.race([failed, this.healthy(server, log)])
  }

  private async healthy(server: ChildProcess, log: string): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT * 1000
    while (Date.now() < deadline && server.exitCode === null) {
      const answer = await fetch(`${this.url}/auth/v1/health`).catch(() => null)
      if (answer?.status === 200) return
      await sleep(50)
    }
    throw new Error(`${BINARY} did not become healthy:\n${readFileSync(log, 'utf8')}`)
  }

  private async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const server = this.server
    this.server = null
    if (!server || server.exitCode !== null) return
    const exit = once(server, 'exit')
    server.kill(signal)
    await exit
  }
}

/** Copies a folder with its owners, because PostgreSQL does not run as root. */
function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to])
}

/**
 * A port that nobody listens on, below the range from which the system gives ports to outgoing connections:
 * the server must be able to take it again after it was killed.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const probe = createServer()
    const free = await new Promise<boolean>((decide) => {
      probe.once('error', () => decide(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => decide(true)))
    })
    if (free) return port
  }
}
