import { Dugout } from './dugout.ts'
const d = await Dugout.start()
if (process.argv[2] === 'seed') await d.seed()
console.log(JSON.stringify({ url: d.url, ...(await d.status()) }))
process.on('SIGTERM', () => void d.stop().then(() => process.exit(0)))
setInterval(() => undefined, 1e6)
