import { beforeEach, expect, test } from 'vitest'
import { forgetOthers } from '@/lib/owned-storage'

beforeEach(() => localStorage.clear())

test('the next user of the device does not find the notifications of the one before', () => {
  localStorage.setItem('notifications', 'told before anybody signed in')
  forgetOthers('ana')
  expect(localStorage.getItem('notifications')).not.toBeNull()
  localStorage.setItem('notifications-seen', '{}')
  forgetOthers('ana')
  expect(localStorage.getItem('notifications-seen')).not.toBeNull()
  localStorage.setItem('theme', 'dark')
  forgetOthers('bo')
  expect(localStorage.getItem('notifications')).toBeNull()
  expect(localStorage.getItem('notifications-seen')).toBeNull()
  expect(localStorage.getItem('theme')).toBe('dark')
})
