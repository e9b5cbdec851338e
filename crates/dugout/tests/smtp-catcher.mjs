// A mail server for the tests (smtp-server) that parses the mails it receives (mailparser). Prints its port, then every mail,
// each as a line of JSON. Tests tell their mails apart by the SMTP user name. Ends when its standard input is closed.
import { SMTPServer } from 'smtp-server'
import { simpleParser } from 'mailparser'

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`)
const seen = new Set()
const refusal = (code) => Object.assign(new Error('your mail says 123456, which we do not like'), { responseCode: code })

const server = new SMTPServer({
  authOptional: false,
  allowInsecureAuth: true,
  disabledCommands: ['STARTTLS'],
  onAuth: (auth, _session, done) => done(auth.password === 'secret of the mail server' ? null : refusal(535), { user: auth.username }),
  onRcptTo(address, session, done) {
    const to = address.address
    if (to.startsWith('never@')) return done(refusal(550))
    const first = !seen.has(session.user + to)
    seen.add(session.user + to)
    return done(to.startsWith('later@') && first ? refusal(451) : null)
  },
  onData(stream, session, done) {
    simpleParser(stream).then((mail) => {
      const headers = Object.fromEntries(mail.headerLines.map(({ key, line }) => [key, line.slice(key.length + 1).trim()]))
      const to = session.envelope.rcptTo.map(({ address }) => address)
      say({ user: session.user, to, from: mail.from?.text, subject: mail.subject, html: mail.html, headers })
      done()
    }, done)
  },
})
// A server under test may be killed in the middle of a mail.
server.on('error', ({ message }) => process.stderr.write(`the tests' mail server: ${message}\n`))
server.listen(0, '127.0.0.1', () => say({ port: server.server.address().port }))
process.stdin.resume().on('end', () => process.exit())
