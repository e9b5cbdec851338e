// Before the first paint, so that no other colours flash up. A file, as the server's policy lets no script stand in the page.
// What it means is said in src/lib/theme.ts.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // A browser that keeps nothing has no choice to show.
}
