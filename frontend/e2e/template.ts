import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Dugout } from './dugout.ts'

/** Before all journeys: makes the data directories that their servers start with. Returns what removes them at the end. */
export default async function makeTemplates(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'dugout-e2e-templates-'))
  // Started by root, PostgreSQL runs as another user.
  chmodSync(folder, 0o711)
  await Dugout.makeTemplates(folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
