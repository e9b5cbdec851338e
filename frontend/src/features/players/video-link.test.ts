import { expect, test } from 'vitest'
import { videoSchema } from '@/features/players/schemas'
import { videoHost } from '@/features/players/video-link'

const BROKEN = [
  'https://x.test:99999/',
  'https://x.test:65536/',
  'https://1.2.3.4.5/',
  'https://a..b:1x/',
  'https://',
  '',
]

test.each(BROKEN)('%s is no link, and throws nothing', (url) => {
  expect(videoHost(url)).toBeNull()
  expect(videoSchema.safeParse({ title: 'Swing', url, recorded_on: '' }).success).toBe(false)
})

test.each(['javascript:alert(1)', 'http://x.test/'])('%s is not opened', (url) => {
  expect(videoHost(url)).toBeNull()
})

test.each([
  ['https://video.example.com/watch?v=1#t=3', 'video.example.com'],
  ['https://youtu.be:65535/a', 'youtu.be'],
  ['https://youtu.be', 'youtu.be'],
])('%s is at %s', (url, host) => {
  expect(videoHost(url)).toBe(host)
  expect(videoSchema.safeParse({ title: 'Swing', url, recorded_on: '' }).success).toBe(true)
})

// The database refuses these, so that the form does, too.
test.each(['https://localhost/', 'https://.../', 'https://-x-/', 'https://x.test:0/'])('%s is not taken', (url) => {
  expect(videoSchema.safeParse({ title: 'Swing', url, recorded_on: '' }).success).toBe(false)
})
