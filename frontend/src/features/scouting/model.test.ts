import { expect, test } from 'vitest'
import { gradesOf, noteTexts, toolsOf } from '@/features/scouting/model'
import { noteSchema } from '@/features/scouting/schemas'

test.each([
  [['SS'], ['hit', 'power', 'run', 'field', 'arm']],
  [['P'], ['fastball', 'breaking', 'changeup', 'control']],
  [
    ['P', 'OF'],
    ['hit', 'power', 'run', 'field', 'arm', 'fastball', 'breaking', 'changeup', 'control'],
  ],
  [[], ['hit', 'power', 'run', 'field', 'arm', 'fastball', 'breaking', 'changeup', 'control']],
])('who plays %j is graded by %j', (positions, tools) => {
  expect(toolsOf(positions)).toEqual(tools)
})

test('a note has a text or a grade, and grades are on the scale', () => {
  const schema = noteSchema(['hit', 'run'])
  expect(schema.parse({ body: ' Quick hands. ', hit: '55', run: '' })).toEqual({
    body: 'Quick hands.',
    grades: { hit: 55 },
  })
  expect(schema.parse({ body: '', hit: '', run: '80' })).toEqual({ body: '', grades: { run: 80 } })
  expect(schema.safeParse({ body: ' ', hit: '', run: '' }).error?.issues[0]).toMatchObject({
    path: ['body'],
    message: 'Please write something, or grade a tool.',
  })
  expect(schema.safeParse({ body: '', hit: '57', run: '' }).error?.issues[0]?.path).toEqual(['hit'])
  expect(schema.safeParse({ body: '', hit: '85', run: '' }).success).toBe(false)
})

test('only grades are read from what the column holds', () => {
  expect(gradesOf({ run: 60, hit: 45, charm: 80, arm: 'strong' })).toEqual([
    { tool: 'hit', label: 'Hit', grade: 45 },
    { tool: 'run', label: 'Run', grade: 60 },
  ])
  expect(gradesOf(null)).toEqual([])
  expect(noteTexts(['hit', 'run'], { body: 'Quick.', grades: { run: 60 } })).toEqual({
    body: 'Quick.',
    hit: '',
    run: '60',
  })
})
