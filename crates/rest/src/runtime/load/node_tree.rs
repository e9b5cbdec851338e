//! Parses the stored queries of views.
//!
//! PostgreSQL stores a view's query as a node tree (`pg_rewrite.ev_action`). Each entry of the target list that is a
//! plain column names its table and column.

use std::collections::BTreeMap;

/// An entry of a view's target list: its position, and the relation and column that it shows.
pub(crate) type Origin = (i16, u32, i16);

/// The entries of the outermost target list that are plain columns.
pub(crate) fn target_list(node_tree: &str) -> Vec<Origin> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut in_target_list = false;
    let mut lists = 0_usize;
    let mut entry: BTreeMap<&str, i64> = BTreeMap::new();
    let mut tokens = Tokens { text: node_tree }.peekable();
    while let Some(token) = tokens.next() {
        match token {
            "{" => depth += 1,
            "}" => {
                if depth == 2 && in_target_list {
                    let origin = (|| {
                        let number = |name| entry.get(name).copied();
                        let relation = u32::try_from(number(":resorigtbl")?).ok().filter(|oid| *oid > 0)?;
                        let position = i16::try_from(number(":resno")?).ok()?;
                        Some((position, relation, i16::try_from(number(":resorigcol")?).ok()?))
                    })();
                    found.extend(origin);
                    entry.clear();
                }
                depth = depth.saturating_sub(1);
            }
            "(" => lists += usize::from(in_target_list),
            ")" if in_target_list => {
                lists = lists.saturating_sub(1);
                if lists == 0 {
                    return found;
                }
            }
            ":targetList" if depth == 1 => in_target_list = true,
            ":resno" | ":resorigtbl" | ":resorigcol" if depth == 2 && in_target_list => {
                if let Some(number) = tokens.peek().and_then(|text| text.parse().ok()) {
                    entry.insert(token, number);
                }
            }
            // An empty list is written `<>`.
            "<>" if in_target_list && lists == 0 => return found,
            _ => {}
        }
    }
    found
}

/// Words and brackets of a node tree; a backslash escapes the next character.
struct Tokens<'a> {
    text: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.text = self.text.trim_start_matches([' ', '\n', '\t']);
        let first = *self.text.as_bytes().first()?;
        let length = if matches!(first, b'(' | b')' | b'{' | b'}') {
            1
        } else {
            let mut escaped = false;
            let end = self.text.bytes().position(|byte| {
                let ends = !escaped && matches!(byte, b'(' | b')' | b'{' | b'}' | b' ' | b'\n' | b'\t');
                escaped = !escaped && byte == b'\\';
                ends
            });
            end.unwrap_or(self.text.len())
        };
        let (token, rest) = self.text.split_at(length);
        self.text = rest;
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A view over `a join b`, shortened to the relevant parts: with a nested query, a name full of brackets, and
    /// an entry that is an expression.
    const TREE: &str = r"({QUERY :commandType 1 :cteList ({COMMONTABLEEXPR :ctequery {QUERY :targetList ({TARGETENTRY :expr
        {VAR :varno 1} :resno 1 :resname id :resorigtbl 999 :resorigcol 9 :resjunk false})}}) :rtable <> :targetList (
        {TARGETENTRY :expr {VAR :varno 1 :varattno 1} :resno 1 :resname we\ \{ird\} :ressortgroupref 0 :resorigtbl 16385 :resorigcol 1 :resjunk false}
        {TARGETENTRY :expr {FUNCEXPR :args ({VAR :varno 1})} :resno 2 :resname up :resorigtbl 0 :resorigcol 0}
        {TARGETENTRY :expr {VAR :varno 2} :resno 3 :resname b :resorigtbl 16390 :resorigcol 4}) :override 0
        :returningList ({TARGETENTRY :resno 7 :resorigtbl 5 :resorigcol 5})})";

    #[test]
    fn only_the_outer_target_list_counts() {
        assert_eq!(target_list(TREE), [(1, 16385, 1), (3, 16390, 4)]);
        assert_eq!(target_list("({QUERY :targetList <> :x ({TARGETENTRY :resno 1 :resorigtbl 2 :resorigcol 3})})"), []);
        assert_eq!(target_list(""), []);
    }
}
