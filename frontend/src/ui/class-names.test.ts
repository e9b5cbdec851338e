import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { twMerge } from 'tailwind-merge'
import { expect, test } from 'vitest'
import { cn } from '@/ui/class-names'

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
  /(?<!test)\.tsx?$/.test(name),
)
const words = sources
  .flatMap((name) => readFileSync(join('src', name), 'utf8').match(/[\w[(-][^\s'"`{}]*/g) ?? [])
  // What is said of a state (`hover:`) is told apart by the library itself.
  .map((word) => word.replace(/^.*:(?![^[(]*[\])])/, ''))
/** Tailwind's classes: of two that are the same one is left. */
const classes = [...new Set(words)].filter((word) => twMerge(`${word} ${word}`) === word)

test('of any two classes the same ones are left as by the whole of Tailwind', () => {
  expect(classes.length).toBeGreaterThan(300)
  const wrong = classes.flatMap((one) =>
    classes.map((other) => `${one} ${other}`).filter((both) => cn(both) !== twMerge(both)),
  )
  expect(wrong).toEqual([])
})

test('classes of states are apart from those without', () => {
  expect(cn('p-2 hover:p-3 sm:p-4', undefined, 'p-5 sm:p-6')).toBe('hover:p-3 p-5 sm:p-6')
})
