// A wallet for the tests (@noble/curves): creates a key, replaces {address} in the message that it reads as JSON from standard
// input, signs the message as wallets do, and prints {address, message, signature}.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'

const input = JSON.parse(await new Response(process.stdin).text())
const bytes = (text) => new TextEncoder().encode(text)
const joined = (...parts) => new Uint8Array(Buffer.concat(parts))
const hex = (data) => Buffer.from(data).toString('hex')

// ERC-55: the case of letters is a checksum.
function checksummed(lower) {
  const hash = hex(keccak_256(bytes(lower)))
  return `0x${[...lower].map((letter, at) => (parseInt(hash[at], 16) > 7 ? letter.toUpperCase() : letter)).join('')}`
}

function ethereum() {
  const key = input.key ? Buffer.from(input.key, 'hex') : secp256k1.utils.randomSecretKey()
  const address = checksummed(hex(keccak_256(secp256k1.getPublicKey(key, false).slice(1)).slice(12)))
  const message = input.message.replace('{address}', address)
  const signed = joined(bytes(`\x19Ethereum Signed Message:\n${bytes(message).length}`), bytes(message))
  // The recovery id is the first byte here, but the last on Ethereum.
  const [recovery, ...numbers] = secp256k1.sign(keccak_256(signed), key, { prehash: false, format: 'recovered' })
  let s = BigInt(`0x${hex(numbers.slice(32))}`)
  let parity = recovery
  if (input.high) {
    s = secp256k1.Point.Fn.ORDER - s
    parity ^= 1
  }
  const signature = `0x${hex(numbers.slice(0, 32))}${s.toString(16).padStart(64, '0')}${hex([parity + (input.bare ? 0 : 27)])}`
  return { key: hex(key), address, message, signature }
}

function solana() {
  const key = input.key ? Buffer.from(input.key, 'hex') : ed25519.utils.randomSecretKey()
  const own = ed25519.getPublicKey(key)
  const address = base58.encode(own)
  const message = input.message.replace('{address}', address)
  const text = bytes(message)
  // The form that a Ledger shows and signs.
  const domain = new Uint8Array(32)
  domain.set(bytes(message.split(' ')[0]).slice(0, 32))
  const size = new Uint8Array([text.length & 255, text.length >> 8])
  const framed = joined(new Uint8Array([255]), bytes('solana offchain\0'), domain, new Uint8Array([0, 1]), own, size, text)
  const signature = Buffer.from(ed25519.sign(input.ledger ? framed : text, key))
  return { key: hex(key), address, message, signature: signature.toString(input.url ? 'base64url' : 'base64') }
}

process.stdout.write(JSON.stringify(input.chain === 'ethereum' ? ethereum() : solana()))
