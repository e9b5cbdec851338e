/** "Good morning" until noon, and so on, by the hour of the reader's own clock. */
export function greeting(hour: number): string {
  if (hour < 5 || hour >= 18) return 'Good evening'
  return hour < 12 ? 'Good morning' : 'Good afternoon'
}

/** The first of somebody's names, or of the address where there is no name. An account by phone may have neither. */
export function firstName(fullName: string, email: string | null): string {
  return fullName.trim().split(/\s+/)[0] || email?.split('@')[0] || 'friend'
}
