//! Games and records to text.

use crate::model::{Adjustment, Appearance, Game, Record, Side};

/// A game in the event file format, with that format's line ends.
#[must_use]
pub fn print_game(game: &Game) -> String {
    let mut text = format!("id,{}\r\n", game.id);
    for record in &game.records {
        text.push_str(&print_record(record));
        text.push_str("\r\n");
    }
    text
}

/// One line, without its line end.
#[must_use]
pub fn print_record(record: &Record) -> String {
    match record {
        Record::Version(version) => format!("version,{version}"),
        Record::Info { key, value } => format!("info,{key},{value}"),
        Record::Start(who) => appearance("start", who),
        Record::Sub(who) => appearance("sub", who),
        Record::Play(play) => format!(
            "play,{},{},{},{},{},{}",
            play.inning,
            play.side.index(),
            play.batter,
            play.count.as_str(),
            play.pitches.as_str(),
            play.event
        ),
        Record::Adjust(adjustment) => adjust(adjustment),
        Record::Comment(text) => format!("com,{text}"),
        Record::Data(fields) => {
            let mut text = "data".to_owned();
            for field in fields {
                text.push(',');
                text.push_str(field);
            }
            text
        }
        Record::Other(line) => line.to_string(),
    }
}

fn appearance(kind: &str, who: &Appearance) -> String {
    let Appearance { player, name, side, order, position, writing } = who;
    let quote = if writing.unquoted { "" } else { "\"" };
    let [before_order, before_position] =
        [writing.order_zeros, writing.position_zeros].map(|zeros| "0".repeat(usize::from(zeros)));
    let (side, position) = (side.index(), position.number());
    format!("{kind},{player},{quote}{name}{quote},{side},{before_order}{order},{before_position}{position}")
}

fn adjust(adjustment: &Adjustment) -> String {
    match adjustment {
        Adjustment::BatterHand(player, hand) => format!("badj,{player},{hand}"),
        Adjustment::PitcherHand(player, hand) => format!("padj,{player},{hand}"),
        Adjustment::BattingOrder(side, order) => format!("ladj,{},{order}", Side::index(*side)),
        Adjustment::RunnerPlaced(player, base) => format!("radj,{player},{}", base.number()),
        Adjustment::RunnerCharged(player, base) => format!("presadj,{player},{}", base.number()),
    }
}
