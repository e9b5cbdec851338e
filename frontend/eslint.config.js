import { readdirSync } from 'node:fs'
import reactHooks from 'eslint-plugin-react-hooks'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

/*
 * Allowed imports (ARCHITECTURE.md): lib, ui, types <- data <- features/x <- app. A feature never imports another, and only
 * data uses the API's client.
 * Imports from another folder are written '@/...', which these patterns match; '..' is refused.
 */
const UPWARD = { regex: '^\\.\\./', message: "Write '@/...' for another folder." }
const noApp = { regex: '^@/app/', message: 'Nothing imports app: pass it in as a prop.' }
const noFeatures = { regex: '^@/features/', message: 'lib, ui, types and data know no feature.' }
const noUi = { regex: '^@/ui/', message: 'lib has no components of ui.' }
const noData = { regex: '^@/data/', message: 'lib, ui and types know no data.' }
const noClient = { regex: '^@/lib/(supabase|query-client)$', message: 'Only data uses the API client.' }
const noOther = (feature) => ({
  regex: `^@/features/(?!${feature}/)`,
  message: 'A feature never imports another: share by ui, lib or a database view.',
})
const restrict = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns: [UPWARD, ...patterns] }] })

/*
 * Filters are sent in the URL, which proxies limit and log. A list that grows with the data belongs in an embed, a function's
 * body or a row policy.
 */
const GROWING_LIST = 'Lists of ids never travel in a URL: embed the rows, or call a function.'
const growingLists = [
  "CallExpression[callee.property.name='in']:not([arguments.1.type='ArrayExpression'])",
  "CallExpression[callee.property.name='in'] > ArrayExpression.arguments > :not(Literal)",
  "CallExpression[callee.property.name='in'] > ArrayExpression.arguments[elements.length>8]",
  "CallExpression[callee.property.name=/^(filter|not)$/][arguments.1.value='in']",
  "CallExpression[callee.property.name='or'] CallExpression[callee.property.name='join']",
].map((selector) => ({ selector, message: GROWING_LIST }))

const features = readdirSync('src/features', { withFileTypes: true }).filter((entry) => entry.isDirectory())

export default defineConfig(
  globalIgnores(['dist', 'test-results', 'playwright-report', 'src/types/database.ts']),
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['eslint.config.js'] } } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `onClick={() => close()}` is the usual way to write a handler.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      'max-lines': ['error', 400],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: false, skipComments: false }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'No barrel files: import from the file itself.' },
        { selector: 'ExportNamedDeclaration[source]', message: 'No barrel files: import from the file itself.' },
        ...growingLists,
      ],
    },
  },
  { files: ['**/*.js'], extends: [tseslint.configs.disableTypeChecked] },
  // The callback of `describe` contains tests, and a journey is one test with many steps.
  { files: ['**/*.test.{ts,tsx}', '**/*.spec.ts'], rules: { 'max-lines-per-function': 'off' } },
  {
    files: ['e2e/node/**'],
    // node:test collects what `test()` returns by itself.
    rules: {
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['test'] }] },
      ],
    },
  },
  { files: ['src/**/*.{ts,tsx}'], extends: [reactHooks.configs.flat.recommended], rules: restrict() },
  { files: ['src/types/**'], rules: restrict(noApp, noFeatures, noData, noUi) },
  { files: ['src/lib/**'], rules: restrict(noApp, noFeatures, noData, noUi) },
  { files: ['src/ui/**'], rules: restrict(noApp, noFeatures, noData, noClient) },
  { files: ['src/design/**'], rules: restrict(noApp, noFeatures, noData, noClient) },
  { files: ['src/data/**'], rules: restrict(noApp, noFeatures) },
  // app/data.tsx provides the query client to all screens.
  { files: ['src/app/**'], ignores: ['src/app/data.tsx', '**/*.test.tsx'], rules: restrict(noClient) },
  ...features.map(({ name }) => ({
    files: [`src/features/${name}/**`],
    rules: restrict(noApp, noOther(name), noClient),
  })),
)
