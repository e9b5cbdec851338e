import type { Token, Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { parse } from '@/features/newsroom/parse-markdown'

/*
 * Articles are CommonMark. marked (small, without dependencies, kept since 2011) parses it; its tokens become elements here and
 * never HTML, so that nothing in an article can run. HTML and pictures in the text are shown as text.
 */

/** Draws the text of an article. */
export function Markdown({ text }: { text: string }) {
  return <div className="grid gap-4 leading-relaxed wrap-anywhere">{blocks(parse(text))}</div>
}

/** Headings of an article begin below its title. */
const HEADINGS = ['h2', 'h2', 'h3', 'h4', 'h4', 'h4'] as const

function blocks(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{block(token)}</Fragment>)
}

function block(token: Token): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading
      const Heading = HEADINGS[depth - 1] ?? 'h4'
      return <Heading className="mt-2 text-xl font-semibold">{inline(tokens)}</Heading>
    }
    case 'list':
      return list(token as Tokens.List)
    case 'blockquote':
      return (
        <blockquote className="grid gap-3 border-l-4 border-border pl-4 text-muted-foreground">
          {blocks((token as Tokens.Blockquote).tokens)}
        </blockquote>
      )
    case 'code':
      return <pre className="overflow-x-auto rounded-lg bg-muted p-3 text-sm">{(token as Tokens.Code).text}</pre>
    case 'hr':
      return <hr className="border-border" />
    case 'table':
      return table(token as Tokens.Table)
    case 'paragraph':
      return <p>{inline((token as Tokens.Paragraph).tokens)}</p>
    case 'text': {
      const { tokens, text } = token as Tokens.Text
      return tokens ? inline(tokens) : text
    }
    default:
      // HTML, and what later versions add.
      return token.raw.trim() ? <p>{token.raw.trim()}</p> : null
  }
}

function list({ ordered, start, items }: Tokens.List): ReactNode {
  const rows = items.map((item, index) => <li key={index}>{blocks(item.tokens)}</li>)
  return ordered ? (
    <ol start={start === '' ? undefined : start} className="grid list-decimal gap-2 pl-6">
      {rows}
    </ol>
  ) : (
    <ul className="grid list-disc gap-2 pl-6">{rows}</ul>
  )
}

function table({ header, rows }: Tokens.Table): ReactNode {
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse text-sm">
        <thead className="bg-muted text-left">
          <tr>
            {header.map((cell, index) => (
              <th key={index} scope="col" className="px-3 py-2 font-semibold">
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} className="px-3 py-2 tabular-nums">
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function inline(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{piece(token)}</Fragment>)
}

function piece(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline((token as Tokens.Strong).tokens)}</strong>
    case 'em':
      return <em>{inline((token as Tokens.Em).tokens)}</em>
    case 'del':
      return <del>{inline((token as Tokens.Del).tokens)}</del>
    case 'codespan':
      return <code className="rounded bg-muted px-1 text-sm">{unescaped((token as Tokens.Codespan).text)}</code>
    case 'br':
      return <br />
    case 'link':
      return link(token as Tokens.Link)
    case 'text': {
      const { tokens, text } = token as Tokens.Text
      return tokens ? inline(tokens) : unescaped(text)
    }
    case 'escape':
      return unescaped((token as Tokens.Escape).text)
    default:
      // HTML and pictures.
      return token.raw
  }
}

/** Only addresses of the web and of this site lead anywhere. */
function link({ href, tokens }: Tokens.Link): ReactNode {
  const words = inline(tokens)
  const own = isOwn(href)
  if (!own && !/^https?:\/\//i.test(href)) return words
  return (
    <a
      href={href}
      rel={own ? undefined : 'noopener noreferrer nofollow'}
      target={own ? undefined : '_blank'}
      className="font-medium text-primary underline underline-offset-4"
    >
      {words}
    </a>
  )
}

/** Whether a path stays on this site. Uses the browser's URL parser, which reads `/\\site` like `//site`, and ignores tabs. */
const isOwn = (href: string) => href.startsWith('/') && URL.parse(href, 'https://own.invalid')?.host === 'own.invalid'

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** Some versions of the parser escape texts for HTML. */
const unescaped = (text: string) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
