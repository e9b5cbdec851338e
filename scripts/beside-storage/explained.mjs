// Why an answer may differ from upstream's. Each entry has its line in COMPATIBILITY.md, or says why it is none of a client's
// business.

const RULES = []

/** The first rule that a difference falls under; undefined if there is none. */
export const explanation = (test, difference, ours, theirs) => RULES.find(([, applies]) => applies(test, difference, ours, theirs))?.[0]
