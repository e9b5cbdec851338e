import { Marked, type Token } from 'marked'

/*
 * Limits for marked. It takes quadratic time for emphasis that is never closed and for very long words, and recurses for each
 * level of quotes and lists. An article of 40,000 characters could freeze a reader's page for a minute.
 */

/** Maximum levels of quotes and lists on one line. Deeper markers are removed. */
const MOST_LEVELS = 12
/** Maximum length of a word, in characters. A space is inserted into longer words. */
const LONGEST_WORD = 1000
/** Maximum number of characters to search for the end of emphasis, in one text. After that, * and _ are plain text. */
const MOST_EMPHASIS = 2_000_000

const MARKER = String.raw`[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=\s))`
const TOO_DEEP = new RegExp(`^((?:${MARKER}){${MOST_LEVELS}})(?:${MARKER})+`, 'gm')
const TOO_LONG = new RegExp(String.raw`\S{${LONGEST_WORD}}(?=\S)`, 'g')

let left = 0

const parser = new Marked({
  tokenizer: {
    emStrong(source) {
      left -= source.length
      // False lets marked's own rule decide; undefined finds no emphasis.
      return left > 0 ? false : undefined
    },
  },
})

/** Parses a CommonMark text in bounded time. */
export function parse(text: string): Token[] {
  left = MOST_EMPHASIS
  return parser.lexer(text.replace(TOO_DEEP, '$1').replace(TOO_LONG, '$& '))
}
