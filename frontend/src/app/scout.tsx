import ScoutScreen from '@/features/players/routes/scout'

/** The scout's own screen. */
export default function Scout() {
  return <ScoutScreen>{() => null}</ScoutScreen>
}
