/** Hands the browser a file to save. */
export function download(name: string, content: BlobPart, type: string) {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The click has begun the download; the address may go once the browser had its turn.
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
