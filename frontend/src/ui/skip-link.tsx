export const MAIN_ID = 'main'

/** The first stop of the Tab key: past the navigation. */
export function SkipLink() {
  return (
    <a
      href={`#${MAIN_ID}`}
      onClick={(event) => {
        event.preventDefault()
        focusMain()
      }}
      className="fixed top-2 left-2 z-70 -translate-y-20 rounded-lg opacity-0 bg-primary px-4 py-2 font-medium text-primary-foreground focus-visible:translate-y-0 focus-visible:opacity-100"
    >
      Skip to content
    </a>
  )
}

/** Moves the focus to what the page is about; false while there is nothing yet. */
export function focusMain(): boolean {
  const main = document.querySelector('main')
  if (!main) return false
  main.tabIndex = -1
  main.focus({ preventScroll: true })
  return true
}
