//! Evaluates formulas: what people see is what is computed.

/// Maximum nesting of parentheses and references.
const MAX_DEPTH: usize = 16;

/// Evaluates a formula of numbers, names, `+ - * / ^` and parentheses. `None` if a name is unknown or a divisor is zero.
pub(super) fn evaluate(formula: &str, value: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
    let mut reader = Reader { rest: formula.trim_start(), value };
    let result = reader.sum(0)?;
    reader.rest.is_empty().then_some(result).filter(|result| result.is_finite())
}

/// The names in a formula.
pub(super) fn names(formula: &str) -> impl Iterator<Item = &str> {
    formula.split(|letter: char| !is_name(letter)).filter(|word| !word.is_empty() && word.parse::<f64>().is_err())
}

fn is_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '.'
}

struct Reader<'f> {
    rest: &'f str,
    value: &'f dyn Fn(&str) -> Option<f64>,
}

impl Reader<'_> {
    fn sum(&mut self, depth: usize) -> Option<f64> {
        let mut total = self.product(depth)?;
        loop {
            if self.eat('+') {
                total += self.product(depth)?;
            } else if self.eat('-') {
                total -= self.product(depth)?;
            } else {
                return Some(total);
            }
        }
    }

    fn product(&mut self, depth: usize) -> Option<f64> {
        let mut total = self.power(depth)?;
        loop {
            if self.eat('*') {
                total *= self.power(depth)?;
            } else if self.eat('/') {
                let divisor = self.power(depth)?;
                if divisor == 0.0 {
                    return None;
                }
                total /= divisor;
            } else {
                return Some(total);
            }
        }
    }

    fn power(&mut self, depth: usize) -> Option<f64> {
        let base = self.term(depth)?;
        if self.eat('^') { Some(base.powf(self.term(depth)?)) } else { Some(base) }
    }

    fn term(&mut self, depth: usize) -> Option<f64> {
        if depth < MAX_DEPTH && self.eat('(') {
            let inner = self.sum(depth + 1)?;
            return self.eat(')').then_some(inner);
        }
        let end = self.rest.find(|letter| !is_name(letter)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        word.parse().ok().or_else(|| (self.value)(word))
    }

    fn eat(&mut self, wanted: char) -> bool {
        let rest = self.rest.strip_prefix(wanted);
        self.rest = rest.map_or(self.rest, str::trim_start);
        rest.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_bind_stronger_than_sums() {
        let value = |name: &str| (name == "2B").then_some(4.0);
        assert_eq!(evaluate("1 + 2 * 2B - (3 - 1) / 2", &value), Some(8.0));
        assert_eq!(evaluate("1 / (2B - 4)", &value), None, "no division by zero");
        assert_eq!(evaluate("1 + X", &value), None, "unknown stays unknown");
        assert_eq!(evaluate("1 +", &value), None);
        assert_eq!(evaluate("1 2", &value), None);
        assert_eq!(evaluate("3 * 2B ^ 2 / 2", &value), Some(24.0));
        assert_eq!(evaluate("(1 - 2B) ^ .5", &value), None, "no root of a negative number");
        assert_eq!(names("(H - HR) / 2B + 1.5").collect::<Vec<_>>(), ["H", "HR", "2B"]);
    }
}
