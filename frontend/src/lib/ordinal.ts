/** "1st", "22nd", "93rd", "11th". */
export function ordinal(number: number): string {
  const rounded = Math.round(number)
  const teens = rounded % 100 > 10 && rounded % 100 < 14
  return `${rounded}${teens ? 'th' : (['th', 'st', 'nd', 'rd'][rounded % 10] ?? 'th')}`
}
