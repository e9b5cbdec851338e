/// <reference types="vitest/config" />
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkOf } from './vite-chunks.ts'
import { compressed } from './vite-compress.ts'
import { designPage } from './vite-design.ts'
import { dugoutDevServer } from './vite-dugout.ts'
import { preloadApp } from './vite-preload.ts'

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadApp(), compressed(), designPage(), dugoutDevServer()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    // Nothing is inlined as a data: address, so that the content security policy can stay at 'self'.
    assetsInlineLimit: 0,
    target: 'es2023',
    rolldownOptions: {
      output: {
        // A slow line pays for every request: what signed-in screens share is one file, and each feature is one.
        codeSplitting: { groups: [{ name: chunkOf, debugName: 'by feature' }], includeDependenciesRecursively: false },
      },
    },
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    testTimeout: 20_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
})
