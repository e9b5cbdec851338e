//! Edits of a game, and the contradictions that they create.

use sabermetrics::model::{Base, Record};
use sabermetrics::notation::parse_record;
use sabermetrics::replay::Problem;
use sabermetrics::scorebook::{Edit, Scorebook};

use super::book::Book;

fn record(line: &str) -> Record {
    parse_record(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// Adds a line at the end; returns the contradiction that it creates and where.
fn add(book: &mut Scorebook, line: &str) -> Option<(usize, Problem)> {
    let at = book.game().records.len();
    let edited = book.edit(Edit::Insert(at, record(line)));
    edited.and_then(|edited| edited.contradiction).map(|one| (one.record, one.problem))
}

/// Two runners on second base, top and bottom of the first inning.
fn crowded() -> Scorebook {
    let top = Book::new(&[]).half(1, 0, &["v1 D7", "v2 D8", "v3 K", "v4 K", "v5 K"]).replayed();
    assert_eq!(top.problem(), Some(&Problem::BaseTaken(Base::Second)), "it was accepted");
    let mut book = Scorebook::new(top.game);
    assert_eq!(add(&mut book, "play,1,1,h1,??,,D7"), None);
    book
}

#[test]
fn a_second_contradiction_of_one_kind_is_new() {
    let mut book = crowded();
    let at = book.game().records.len();
    assert_eq!(add(&mut book, "play,1,1,h2,??,,D8"), Some((at, Problem::BaseTaken(Base::Second))));
    assert_eq!(add(&mut book, "play,1,1,h3,??,,K"), None, "the accepted ones are not reported again");
}

#[test]
fn an_earlier_edit_is_told_where_it_contradicts_and_moves_the_accepted_ones() {
    let mut book = crowded();
    add(&mut book, "play,1,1,h2,??,,D8");
    let first = book.game().records.iter().position(|one| matches!(one, Record::Play(_))).unwrap();
    // A pickoff that changes nothing moves every later record.
    let edited = book.edit(Edit::Insert(first + 1, record("play,1,0,v2,??,,NP"))).unwrap();
    assert_eq!(edited.contradiction, None);
    let edited = book.edit(Edit::Remove(first + 1)).unwrap();
    assert_eq!(edited.contradiction, None);
    // The third strikeout becomes a double: its own contradiction is new, not the accepted one of the bottom.
    let edited = book.edit(Edit::Replace(first + 2, record("play,1,0,v3,??,,D7"))).unwrap();
    assert_eq!(
        edited.contradiction.map(|one| (one.record, one.problem)),
        Some((first + 2, Problem::BaseTaken(Base::Second)))
    );
}
