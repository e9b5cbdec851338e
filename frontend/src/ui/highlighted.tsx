/** A text with the parts marked that match a search. */
export function Highlighted({ parts }: { parts: readonly { text: string; hit: boolean }[] }) {
  return parts.map(({ text, hit }, index) =>
    hit ? (
      <mark key={index} className="rounded-xs bg-clay/26 text-inherit">
        {text}
      </mark>
    ) : (
      text
    ),
  )
}
