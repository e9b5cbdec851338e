import { Search } from 'lucide-react'
import type { ComponentProps, Ref } from 'react'
import { MOST_TYPED } from '@/data/search/model'
import { cn } from '@/ui/class-names'

/** A field to search in; `inputRef` is the field itself. */
export function SearchBox({
  className,
  inputRef,
  ...props
}: ComponentProps<'input'> & { inputRef?: Ref<HTMLInputElement> }) {
  return (
    <span className="relative block">
      <Search aria-hidden className="absolute top-1/2 left-4 size-5 -translate-y-1/2 text-muted-foreground" />
      <input
        ref={inputRef}
        type="search"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={MOST_TYPED}
        className={cn(
          'h-14 w-full bg-transparent pr-4 pl-12 text-lg outline-none placeholder:text-muted-foreground [&::-webkit-search-cancel-button]:hidden',
          className,
        )}
        {...props}
      />
    </span>
  )
}
