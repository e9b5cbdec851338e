import { paths, type Path } from '@/lib/paths'

/** The screens of section 2 that are not built yet. A row leaves this table when its feature's screen takes its place. */
export const UNBUILT: readonly { path: Path; title: string }[] = [
  { path: paths.marketplace, title: 'Marketplace' },
  { path: paths.liveStream, title: 'Live Stream' },
  { path: paths.camps, title: 'Training Camps' },
  { path: paths.fields, title: 'Fields' },
  { path: paths.trainingGuides, title: 'Training Guides' },
  { path: paths.personalCoach, title: 'AI Coach' },
  { path: paths.analytics, title: 'Analytics' },
  { path: paths.predictiveAnalytics, title: 'Predictive Analytics' },
  { path: paths.swingAnalysis, title: 'Swing Analysis' },
]

/** The one unbuilt screen that section 2 puts outside the shell. */
export const UNBUILT_OUTSIDE_SHELL = { path: paths.swingShare, title: 'Shared Swing' }
