import { Marked, type Token } from 'marked'

/*
 * marked takes time that grows with the square of a text's length where emphasis is opened and never closed, or a word never ends,
 * and calls itself for each level of quotes and lists. An article of 40,000 characters could so hold a reader's page for a minute.
 */

/** Levels of quotes and lists on one line. Those beyond are left out. */
const MOST_LEVELS = 12
/** The longest word, in characters. It is broken there. */
const LONGEST_WORD = 1000
/** Characters that are looked through for the ends of emphasis, in all. After that * and _ are text. */
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

/** The tokens of a text in CommonMark, in a time that no text makes long. */
export function parse(text: string): Token[] {
  left = MOST_EMPHASIS
  return parser.lexer(text.replace(TOO_DEEP, '$1').replace(TOO_LONG, '$& '))
}
