import { useState } from 'react'

type CrestProps = {
  name: string
  /** The logo; without one the first letter is shown. */
  url: string | undefined
  /** In pixels. */
  size: 20 | 28 | 40 | 56
  onBroken?: () => void
}

/** A team: a diamond with its logo, or its first letter. */
export function Crest({ name, url, size, onBroken }: CrestProps) {
  const [broken, setBroken] = useState<string>()
  const shown = url !== undefined && url !== broken
  return (
    <span
      aria-hidden
      className="relative grid shrink-0 place-items-center font-display leading-none font-bold text-night-foreground"
      style={{ width: size, height: size, fontSize: size * 0.36 }}
    >
      <span className="absolute inset-[14.6%] rotate-45 rounded-[12%] bg-night ring-2 ring-clay" />
      {shown ? (
        <img
          src={url}
          alt=""
          width={size}
          height={size}
          className="absolute inset-0 size-full bg-white object-contain [clip-path:polygon(50%_4%,96%_50%,50%_96%,4%_50%)]"
          onError={() => {
            setBroken(url)
            onBroken?.()
          }}
        />
      ) : (
        <span className="relative">{Array.from(name.trim())[0]?.toLocaleUpperCase()}</span>
      )}
    </span>
  )
}
