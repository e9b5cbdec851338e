import CoachScreen from '@/features/players/routes/coach'

/** The coach's own screen. */
export default function Coach() {
  return <CoachScreen>{() => null}</CoachScreen>
}
