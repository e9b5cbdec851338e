import { useState } from 'react'
import { cn } from '@/ui/class-names'

type FaceProps = {
  name: string
  /** The photo; without one, or while it loads, the initials are shown. */
  url: string | undefined
  /** In pixels; a class may set another one. */
  size: 24 | 32 | 40 | 84
  /** What a screen reader says; nothing where the name stands beside it. */
  alt?: string
  className?: string
  /** Called when the photo cannot be loaded, because its URL has ended for instance. */
  onBroken?: () => void
}

/** A person: the photo, else a tile like a jersey with the initials. */
export function Face({ name, url, size, alt = '', className, onBroken }: FaceProps) {
  const [broken, setBroken] = useState<string>()
  return (
    <span
      className={cn(
        'relative inline-grid shrink-0 place-items-center overflow-hidden bg-night-raised font-display leading-none font-extrabold text-white',
        'bg-[repeating-linear-gradient(90deg,transparent_0_7px,rgb(255_255_255/13%)_7px_8px)]',
        size === 84 ? 'rounded-xl ring-2 ring-card' : 'rounded-full',
        className,
      )}
      style={{ width: size, height: size, fontSize: size * 0.38 }}
    >
      <span aria-hidden>{initials(name)}</span>
      {url && url !== broken && (
        <img
          src={url}
          alt={alt}
          width={size}
          height={size}
          className="absolute inset-0 size-full object-cover"
          onError={() => {
            setBroken(url)
            onBroken?.()
          }}
        />
      )}
    </span>
  )
}

/** The first letters of the first and the last name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const chosen = words.length > 1 ? [words[0], words[words.length - 1]] : words
  return chosen.map((word = '') => Array.from(word)[0]?.toLocaleUpperCase() ?? '').join('')
}
