//! Parses tokens into a tree.

use serde_json::{Value, json};

use super::functions::Function;
use super::lexer::{Piece, Token};
use super::{MAX_DEPTH, SyntaxError};

/// A node of a template.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Text(String),
    /// Writes a value.
    Value(Expression),
    /// `$name := …`
    Assign(String, Expression),
    /// `if` and `with`: the first block whose condition is true, else the last.
    Choice {
        arms: Vec<Arm>,
        otherwise: Vec<Node>,
    },
    Range {
        variables: Vec<String>,
        over: Expression,
        body: Vec<Node>,
        otherwise: Vec<Node>,
    },
}

/// A block with its condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arm {
    pub(super) condition: Expression,
    /// A variable that gets the condition's value.
    pub(super) variable: Option<String>,
    /// True for `with`: the value becomes the dot.
    pub(super) moves_dot: bool,
    pub(super) body: Vec<Node>,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Literal(Value),
    Dot,
    /// The empty name is `$`.
    Variable(String),
    Field(Box<Expression>, String),
    Call(Function, Vec<Expression>),
}

/// Parses the pieces of a template.
pub(super) fn parse(pieces: &[Piece]) -> Result<Vec<Node>, SyntaxError> {
    let mut parser = Parser { pieces: pieces.iter(), line: 1, depth: 0 };
    let (nodes, end) = parser.block()?;
    match end {
        Stop::Template => Ok(nodes),
        Stop::Closed => Err(parser.error("an end without a beginning")),
        Stop::Else(_) => Err(parser.error("an else without an if")),
    }
}

struct Parser<'a> {
    pieces: std::slice::Iter<'a, Piece>,
    line: usize,
    depth: usize,
}

/// What ended a block: the end of the template, `end` or `else`.
enum Stop<'a> {
    Template,
    Closed,
    /// The tokens after `else`.
    Else(&'a [Token]),
}

impl<'a> Parser<'a> {
    fn error(&self, message: &str) -> SyntaxError {
        SyntaxError { line: self.line, message: message.to_owned() }
    }

    fn block(&mut self) -> Result<(Vec<Node>, Stop<'a>), SyntaxError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("blocks are nested too deeply"));
        }
        let mut nodes = Vec::new();
        let end = loop {
            let Some(piece) = self.pieces.next() else { break Stop::Template };
            let tokens = match piece {
                Piece::Text(text) => {
                    nodes.push(Node::Text(text.clone()));
                    continue;
                }
                Piece::Action(tokens, line) => {
                    self.line = *line;
                    tokens.as_slice()
                }
            };
            match tokens {
                [Token::Word(word)] if word == "end" => break Stop::Closed,
                [Token::Word(word), rest @ ..] if word == "else" => break Stop::Else(rest),
                [Token::Word(word), rest @ ..] if word == "if" || word == "with" => {
                    nodes.push(self.choice(word == "with", rest)?);
                }
                [Token::Word(word), rest @ ..] if word == "range" => nodes.push(self.range(rest)?),
                [Token::Variable(name), Token::Assign, rest @ ..] => {
                    nodes.push(Node::Assign(name.clone(), self.expression(rest)?));
                }
                tokens => nodes.push(Node::Value(self.expression(tokens)?)),
            }
        };
        self.depth -= 1;
        Ok((nodes, end))
    }

    fn choice(&mut self, moves_dot: bool, condition: &'a [Token]) -> Result<Node, SyntaxError> {
        let mut arms = Vec::new();
        let (mut moves_dot, mut words) = (moves_dot, condition);
        loop {
            let (variable, condition) = match words {
                [Token::Variable(name), Token::Assign, rest @ ..] => (Some(name.clone()), self.expression(rest)?),
                words => (None, self.expression(words)?),
            };
            let (body, end) = self.block()?;
            arms.push(Arm { condition, variable, moves_dot, body });
            match end {
                Stop::Closed => return Ok(Node::Choice { arms, otherwise: Vec::new() }),
                Stop::Else([]) => return Ok(Node::Choice { arms, otherwise: self.last_block()? }),
                Stop::Else([Token::Word(word), rest @ ..]) if word == "if" || word == "with" => {
                    (moves_dot, words) = (word == "with", rest);
                }
                Stop::Else(_) => return Err(self.error("after else there may only be if or with")),
                Stop::Template => return Err(self.error("an if or with has no end")),
            }
        }
    }

    fn range(&mut self, words: &'a [Token]) -> Result<Node, SyntaxError> {
        let (variables, words) = match words {
            [Token::Variable(key), Token::Comma, Token::Variable(value), Token::Assign, rest @ ..] => {
                (vec![key.clone(), value.clone()], rest)
            }
            [Token::Variable(value), Token::Assign, rest @ ..] => (vec![value.clone()], rest),
            words => (Vec::new(), words),
        };
        let over = self.expression(words)?;
        let (body, end) = self.block()?;
        let otherwise = match end {
            Stop::Closed => Vec::new(),
            Stop::Else([]) => self.last_block()?,
            Stop::Else(_) => return Err(self.error("an else of a range stands alone")),
            Stop::Template => return Err(self.error("a range has no end")),
        };
        Ok(Node::Range { variables, over, body, otherwise })
    }

    /// The block after the last `else`.
    fn last_block(&mut self) -> Result<Vec<Node>, SyntaxError> {
        match self.block()? {
            (nodes, Stop::Closed) => Ok(nodes),
            (_, Stop::Else(_)) => Err(self.error("a second else")),
            (_, Stop::Template) => Err(self.error("an else has no end")),
        }
    }

    fn expression(&self, tokens: &[Token]) -> Result<Expression, SyntaxError> {
        let mut rest = tokens;
        let expression = pipeline(&mut rest, 0).map_err(|message| self.error(&message))?;
        if rest.is_empty() { Ok(expression) } else { Err(self.error("a ) without a (")) }
    }
}

/// Commands joined by `|`: each is the last argument of the next.
fn pipeline(tokens: &mut &[Token], depth: usize) -> Result<Expression, String> {
    if depth > MAX_DEPTH {
        return Err("parentheses are nested too deeply".to_owned());
    }
    let mut last = None;
    loop {
        let expression = command(tokens, last.take(), depth)?;
        match tokens.split_first() {
            Some((Token::Pipe, rest)) => {
                *tokens = rest;
                last = Some(expression);
            }
            _ => return Ok(expression),
        }
    }
}

/// A function with its arguments, or a single operand.
fn command(tokens: &mut &[Token], piped: Option<Expression>, depth: usize) -> Result<Expression, String> {
    if let Some((Token::Word(word), rest)) = tokens.split_first()
        && let Some(function) = Function::named(word)
    {
        *tokens = rest;
        let mut arguments = Vec::new();
        while !matches!(tokens.first(), None | Some(Token::Pipe | Token::Close)) {
            arguments.push(operand(tokens, depth)?);
        }
        arguments.extend(piped);
        return if function.takes(arguments.len()) {
            Ok(Expression::Call(function, arguments))
        } else {
            Err(format!("{word} does not take {} arguments", arguments.len()))
        };
    }
    if piped.is_some() {
        return Err("after | there must be a function".to_owned());
    }
    let operand = operand(tokens, depth)?;
    match tokens.first() {
        None | Some(Token::Pipe | Token::Close) => Ok(operand),
        Some(_) => Err("only functions take arguments".to_owned()),
    }
}

fn operand(tokens: &mut &[Token], depth: usize) -> Result<Expression, String> {
    let (first, rest) = tokens.split_first().ok_or("something is missing")?;
    *tokens = rest;
    let mut expression = match first {
        Token::Dot => Expression::Dot,
        Token::Field { name, .. } => Expression::Field(Box::new(Expression::Dot), name.clone()),
        Token::Variable(name) => Expression::Variable(name.clone()),
        Token::Text(text) => Expression::Literal(json!(text)),
        Token::Number(number) => Expression::Literal(number_of(*number)),
        Token::Word(word) => match word.as_str() {
            "true" => Expression::Literal(json!(true)),
            "false" => Expression::Literal(json!(false)),
            "nil" => Expression::Literal(Value::Null),
            _ => {
                let function = Function::named(word).filter(|function| function.takes(0));
                Expression::Call(function.ok_or_else(|| format!("{word} is not known here"))?, Vec::new())
            }
        },
        Token::Open => {
            let inside = pipeline(tokens, depth + 1)?;
            match tokens.split_first() {
                Some((Token::Close, rest)) => *tokens = rest,
                _ => return Err("a ( without a )".to_owned()),
            }
            inside
        }
        Token::Close | Token::Pipe | Token::Assign | Token::Comma => return Err("something is missing".to_owned()),
    };
    while let Some((Token::Field { name, attached: true }, rest)) = tokens.split_first() {
        *tokens = rest;
        expression = Expression::Field(Box::new(expression), name.clone());
    }
    Ok(expression)
}

/// Whole numbers are written without a decimal point.
fn number_of(number: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
    if number.fract() == 0.0 && number.abs() < 1e15 { json!(number as i64) } else { json!(number) }
}
