import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Markdown } from '@/features/newsroom/markdown'

const html = (text: string) => render(<Markdown text={text} />).container

test('headings, lists, emphasis, tables', () => {
  const page = html('# One\n\nA **bold** *word* & more.\n\n- a\n- b\n\n1. c\n\n| R | H |\n|---|---|\n| 5 | 9 |')
  expect(page.querySelector('h2')?.textContent).toBe('One')
  expect(page.querySelector('strong')?.textContent).toBe('bold')
  expect(page.querySelector('p')?.textContent).toBe('A bold word & more.')
  expect([...page.querySelectorAll('li')].map((item) => item.textContent)).toEqual(['a', 'b', 'c'])
  expect([...page.querySelectorAll('td')].map((cell) => cell.textContent)).toEqual(['5', '9'])
})

test.each([
  ['<script>alert(1)</script>', 'script'],
  ['<img src=x onerror=alert(1)>', 'img'],
  ['text <iframe src="//evil"></iframe>', 'iframe'],
  ['![picture](https://evil.test/track.gif)', 'img'],
  ['<svg onload=alert(1)>', 'svg'],
])('%s is text', (text, element) => {
  const page = html(text)
  expect(page.querySelector(element)).toBeNull()
  expect(page.textContent).not.toBe('')
})

test.each([
  ['[a](javascript:alert(1))', null],
  ['[a](JaVaScRiPt:alert(1))', null],
  ['[a](data:text/html,x)', null],
  ['[a](//evil.test)', null],
  ['[a](/\\evil.test)', null],
  ['[a](</\t/evil.test>)', null],
  ['[a](vbscript:x)', null],
  ['[a](https://club.test/x)', 'https://club.test/x'],
  ['[a](/player)', '/player'],
])('the link %s leads to %s', (text, href) => {
  expect(html(text).querySelector('a')?.getAttribute('href') ?? null).toBe(href)
  expect(html(text).textContent).toBe('a')
})

test('a link to another site gives nothing away', () => {
  expect(html('[a](https://club.test)').querySelector('a')?.getAttribute('rel')).toBe('noopener noreferrer nofollow')
})

// Texts of an article's maximum length. Each used to take many seconds, or ended in the error page.
test.each([
  ['nested quotes', '>'.repeat(40_000)],
  ['nested lists', '1. '.repeat(13_000)],
  ['quotes in lists', '> - '.repeat(10_000)],
  ['a word of underscores', '_a'.repeat(20_000)],
  ['open emphasis', '*_a'.repeat(13_000)],
  ['emphasis across words', '_a_b '.repeat(8_000)],
  ['emphasis in emphasis', '**a *b '.repeat(5_700)],
  ['half an address', `${'a.'.repeat(19_999)}@`],
])('%s, repeated many times, is rendered in time', (_, text) => {
  expect(html(text).textContent).toContain(text.includes('a') ? 'a' : '')
})

test('a long article keeps its emphasis', () => {
  const page = html('A *fine* play by **both**.\n\n'.repeat(1_400))
  expect(page.querySelectorAll('em')).toHaveLength(1_400)
})
