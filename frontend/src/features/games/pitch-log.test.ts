import { expect, it } from 'vitest'
import { pitchLog } from '@/features/games/pitch-log'

it('names each pitch with the count after it, and leaves out throws to a base', () => {
  expect(pitchLog('B1C*F>F')).toEqual([
    { number: 1, name: 'Ball', ball: true, count: '1–0' },
    { number: 2, name: 'Called strike', ball: false, count: '1–1' },
    { number: 3, name: 'Foul', ball: false, count: '1–2' },
    { number: 4, name: 'Foul', ball: false, count: '1–2' },
  ])
  expect(pitchLog('')).toEqual([])
})
