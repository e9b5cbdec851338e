/**
 * Which classes set the same property, for tailwind-merge: its own list knows all of Tailwind and is a fifteenth of what the
 * landing page may weigh. A test compares the two for every class that stands in these sources.
 */

type Names = readonly (string | ((name: string) => boolean))[]

const any = () => true
/** `border-2`, `border-[3px]`: not a colour. */
const isLength = (name: string) => /^(\d|\[\d)/.test(name)
const isArbitrary = (name: string) => name.startsWith('[')
const WIDTHS: Names = ['', isLength]
const SIZES = ['2xs', 'xs', 'sm', 'md', 'base', 'lg', 'xl', ...[2, 3, 4, 5, 6, 7, 8, 9].map((times) => `${times}xl`)]
const AXES = ['x', 'y']
const EDGES = ['t', 'r', 'b', 'l']

/** Groups whose members are all that begin so: `transition`, `p-4`, `p-[3px]`. */
const plain = (...prefixes: string[]) =>
  Object.fromEntries(prefixes.map((prefix) => [prefix, [{ [prefix]: ['', any] }]]))

/** The same for a part of the box: `border-t` and `border-x` besides `border`. */
const sided = (group: string, prefix: string, names: Names) =>
  Object.fromEntries([...AXES, ...EDGES].map((side) => [`${group}-${side}`, [{ [`${prefix}-${side}`]: names }]]))

const CLASS_GROUPS = {
  display: [
    'block',
    'inline-block',
    'inline',
    'flex',
    'inline-flex',
    'grid',
    'inline-grid',
    'table',
    'contents',
    'hidden',
  ],
  position: ['static', 'fixed', 'absolute', 'relative', 'sticky'],
  visibility: ['visible', 'invisible', 'collapse'],
  sr: ['sr-only', 'not-sr-only'],
  ...plain('p', 'px', 'py', 'pt', 'pr', 'pb', 'pl', 'm', 'mx', 'my', 'mt', 'mr', 'mb', 'ml'),
  ...plain('w', 'min-w', 'max-w', 'h', 'min-h', 'max-h', 'size', 'gap', 'gap-x', 'gap-y', 'space-x', 'space-y'),
  ...plain('inset', 'inset-x', 'inset-y', 'top', 'right', 'bottom', 'left', 'z', 'opacity', 'basis', 'grow', 'shrink'),
  ...plain('grid-cols', 'grid-rows', 'grid-flow', 'auto-cols', 'auto-rows', 'col-span', 'order', 'leading', 'tracking'),
  ...plain('items', 'justify', 'justify-items', 'justify-self', 'self', 'content', 'place-items', 'place-content'),
  ...plain(
    'overflow',
    'overflow-x',
    'overflow-y',
    'overscroll',
    'cursor',
    'select',
    'pointer-events',
    'accent',
    'fill',
  ),
  ...plain('bg', 'animate', 'transition', 'duration', 'backdrop-blur', 'rotate', 'scale', 'translate', 'translate-x'),
  ...plain(
    'translate-y',
    'list',
    'line-clamp',
    'underline-offset',
    'outline-offset',
    'whitespace',
    'wrap',
    'appearance',
    'filter',
  ),
  'flex-direction': [{ flex: ['row', 'row-reverse', 'col', 'col-reverse'] }],
  'flex-wrap': [{ flex: ['wrap', 'wrap-reverse', 'nowrap'] }],
  flex: [{ flex: [any] }],
  'text-align': [{ text: ['left', 'center', 'right', 'justify', 'start', 'end'] }],
  'text-wrap': [{ text: ['wrap', 'nowrap', 'balance', 'pretty'] }],
  'font-size': [{ text: [...SIZES, isLength] }],
  'text-color': [{ text: [any] }],
  'font-weight': [{ font: ['light', 'normal', 'medium', 'semibold', 'bold', 'extrabold', 'black'] }],
  'font-family': [{ font: [any] }],
  'font-numbers': ['tabular-nums', 'proportional-nums'],
  'text-transform': ['uppercase', 'lowercase', 'capitalize', 'normal-case'],
  'text-decoration': ['underline', 'line-through', 'no-underline'],
  'text-overflow': ['truncate', 'text-ellipsis', 'text-clip'],
  rounded: [{ rounded: ['', ...SIZES, 'none', 'full', isArbitrary] }],
  ...Object.fromEntries(EDGES.map((edge) => [`rounded-${edge}`, [{ [`rounded-${edge}`]: ['', any] }]])),
  shadow: [{ shadow: ['', ...SIZES, 'none', isArbitrary] }],
  'shadow-color': [{ shadow: [any] }],
  'border-collapse': [{ border: ['collapse', 'separate'] }],
  'border-style': [{ border: ['solid', 'dashed', 'dotted', 'double', 'none'] }],
  border: [{ border: WIDTHS }],
  ...sided('border', 'border', WIDTHS),
  'border-color': [{ border: [any] }],
  ...sided('border-color', 'border', [any]),
  'divide-x': [{ 'divide-x': WIDTHS }],
  'divide-y': [{ 'divide-y': WIDTHS }],
  'divide-color': [{ divide: [any] }],
  ring: [{ ring: WIDTHS }],
  'ring-color': [{ ring: [any] }],
  'outline-style': [{ outline: ['none', 'hidden', 'dashed', 'dotted'] }],
  outline: [{ outline: WIDTHS }],
  'outline-offset': [{ 'outline-offset': [any] }],
  'outline-color': [{ outline: [any] }],
  'stroke-width': [{ stroke: [isLength] }],
  stroke: [{ stroke: [any] }],
  table: [{ table: ['auto', 'fixed'] }],
}

/** What a class sets besides: `p-4` after `px-2` leaves nothing of it. */
const CONFLICTS: Record<string, string[]> = {
  overflow: ['overflow-x', 'overflow-y'],
  inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
  'inset-x': ['right', 'left'],
  'inset-y': ['top', 'bottom'],
  flex: ['basis', 'grow', 'shrink'],
  gap: ['gap-x', 'gap-y'],
  p: ['px', 'py', 'pt', 'pr', 'pb', 'pl'],
  px: ['pr', 'pl'],
  py: ['pt', 'pb'],
  m: ['mx', 'my', 'mt', 'mr', 'mb', 'ml'],
  mx: ['mr', 'ml'],
  my: ['mt', 'mb'],
  size: ['w', 'h'],
  'font-size': ['leading'],
  'line-clamp': ['display', 'overflow'],
  rounded: EDGES.map((edge) => `rounded-${edge}`),
  border: [...AXES, ...EDGES].map((side) => `border-${side}`),
  'border-x': ['border-r', 'border-l'],
  'border-y': ['border-t', 'border-b'],
  'border-color': [...AXES, ...EDGES].map((side) => `border-color-${side}`),
  'border-color-x': ['border-color-r', 'border-color-l'],
  'border-color-y': ['border-color-t', 'border-color-b'],
  translate: ['translate-x', 'translate-y'],
}

export const classGroups = () => ({
  cacheSize: 500,
  theme: {},
  classGroups: CLASS_GROUPS,
  conflictingClassGroups: CONFLICTS,
  conflictingClassGroupModifiers: { 'font-size': ['leading'] },
  orderSensitiveModifiers: ['*', '**', 'before', 'after', 'placeholder', 'file', 'marker', 'selection'],
})
