//! The counters. Their names are those in formulas and column headings.

/// A set of counters.
pub trait Counter: Copy + PartialEq + 'static {
    /// All counters of the set.
    const ALL: &'static [Self];

    /// The name in formulas and headings.
    fn name(self) -> &'static str;

    /// Index within [`Counter::ALL`].
    fn index(self) -> usize;

    /// The counters that are all 0 as long as nobody records this one, which is then unknown.
    fn recorded_by(self) -> &'static [Self] {
        &[]
    }

    /// The counter of this name.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|counter| counter.name() == name)
    }
}

macro_rules! counters {
    ($(#[$doc:meta])* $set:ident { $($variant:ident $name:literal $what:literal;)* }
        $(recorded $(by $($by:ident)* : $($recorded:ident)*;)*)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $set {
            $(#[doc = $what] $variant,)*
        }

        impl Counter for $set {
            const ALL: &'static [Self] = &[$($set::$variant,)*];

            fn name(self) -> &'static str {
                match self {
                    $($set::$variant => $name,)*
                }
            }

            fn index(self) -> usize {
                self as usize
            }

            $(fn recorded_by(self) -> &'static [Self] {
                match self {
                    $($($set::$recorded)|* => &[$($set::$by),*],)*
                    _ => &[],
                }
            })?
        }
    };
}

counters! {
    /// Batting and running.
    Batting {
        Games "G" "Games in which the player appeared.";
        PlateAppearances "PA" "Turns at bat that ended.";
        AtBats "AB" "Turns that were no walk, hit by pitch, interference or sacrifice.";
        Runs "R" "Runs scored.";
        Hits "H" "Hits.";
        Doubles "2B" "Two-base hits.";
        Triples "3B" "Three-base hits.";
        HomeRuns "HR" "Home runs.";
        RunsBattedIn "RBI" "Runs batted in.";
        StolenBases "SB" "Stolen bases.";
        CaughtStealing "CS" "Times caught stealing.";
        Walks "BB" "Walks, intentional ones included.";
        Strikeouts "SO" "Strikeouts.";
        IntentionalWalks "IBB" "Intentional walks.";
        HitByPitch "HBP" "Times hit by a pitch.";
        SacrificeHits "SH" "Sacrifice bunts.";
        SacrificeFlies "SF" "Sacrifice flies.";
        DoublePlays "GIDP" "Double plays grounded into.";
        Interference "CI" "Times on base by interference.";
        OnError "ROE" "Times on base by an error.";
        FieldersChoices "FC" "Times on base by a fielder's choice without an out being recorded on the batter.";
        Pitches "P" "Pitches seen, if they were recorded.";
        PitchedPa "PPA" "Turns whose pitches were recorded.";
        Swings "Sw" "Swings.";
        Misses "Wh" "Swings that missed.";
        TwoStrikeAtBats "AB2S" "At bats that ended with two strikes.";
        TwoStrikeHits "H2S" "Hits with two strikes.";
        ScoringAtBats "ABRISP" "At bats with a runner on second or third base.";
        ScoringHits "HRISP" "Hits with a runner on second or third base.";
        Quality "QAB" "Quality turns: six pitches, a walk, hit by pitch, run batted in, sacrifice or extra-base hit.";
        DoublePlayChances "GDPO" "Turns with a runner on first base and less than two outs.";
        ExtraBases "XBT" "Extra bases taken on team-mates' singles and doubles.";
        ExtraBaseChances "XBTO" "Chances to take an extra base.";
        ExtraBaseOuts "XBX" "Times put out when trying for an extra base.";
        GroundBalls "GB" "Balls hit on the ground.";
        LineDrives "LD" "Line drives.";
        FlyBalls "FB" "Fly balls.";
        PopUps "PU" "Pop-ups.";
        PickedOff "PO" "Times picked off.";
    }
    recorded
        by PitchedPa: Pitches Swings Misses;
}

counters! {
    /// Pitching.
    Pitching {
        Wins "W" "Wins.";
        Losses "L" "Losses.";
        Games "G" "Games.";
        Starts "GS" "Games started.";
        CompleteGames "CG" "Games without a reliever.";
        Shutouts "SHO" "Complete games without a run.";
        Saves "SV" "Saves.";
        Outs "IPouts" "Outs, three to an inning.";
        Hits "H" "Hits.";
        EarnedRuns "ER" "Earned runs.";
        HomeRuns "HR" "Home runs.";
        Walks "BB" "Walks, intentional ones included.";
        Strikeouts "SO" "Strikeouts.";
        IntentionalWalks "IBB" "Intentional walks.";
        WildPitches "WP" "Wild pitches.";
        HitByPitch "HBP" "Batters hit.";
        Balks "BK" "Balks.";
        BattersFaced "BFP" "Batters faced.";
        Runs "R" "Runs.";
        AtBats "AB" "At bats against.";
        Doubles "2B" "Two-base hits.";
        Triples "3B" "Three-base hits.";
        SacrificeHits "SH" "Sacrifice bunts.";
        SacrificeFlies "SF" "Sacrifice flies.";
        Interference "CI" "Batters on base by interference.";
        Holds "HLD" "Leads kept for the next pitcher in a save situation.";
        BlownSaves "BS" "Leads lost in a save situation.";
        QualityStarts "QS" "Starts of six innings with at most three earned runs.";
        Inherited "IR" "Runners on base at entry.";
        InheritedScored "IS" "Inherited runners who scored.";
        Pitches "P" "Pitches, if they were recorded.";
        Strikes "S" "Strikes.";
        PitchedBatters "PBF" "Batters whose pitches were recorded.";
        FirstStrikes "FPS" "Batters who began with a strike.";
        Swings "Sw" "Swings.";
        Misses "Wh" "Swings that missed.";
        GroundBalls "GB" "Balls hit on the ground.";
        LineDrives "LD" "Line drives.";
        FlyBalls "FB" "Fly balls.";
        PopUps "PU" "Pop-ups.";
        StolenBases "SB" "Bases stolen.";
        CaughtStealing "CS" "Runners caught stealing.";
    }
    recorded
        by PitchedBatters: FirstStrikes;
        by PitchedBatters Pitches: Pitches Strikes Swings Misses;
}

counters! {
    /// Fielding, at one position.
    Fielding {
        Games "G" "Games.";
        Starts "GS" "Games started.";
        Outs "InnOuts" "Outs of the team while playing this position.";
        Putouts "PO" "Putouts.";
        Assists "A" "Assists.";
        Errors "E" "Errors.";
        DoublePlays "DP" "Double plays taken part in.";
        PassedBalls "PB" "Passed balls, of catchers.";
        WildPitches "WP" "Wild pitches while catching.";
        StolenBases "SB" "Bases stolen while catching.";
        CaughtStealing "CS" "Runners caught stealing while catching.";
    }
}

counters! {
    /// Games of a team.
    Team {
        Games "G" "Games.";
        Wins "W" "Games won.";
        Losses "L" "Games lost.";
        Ties "T" "Games without a winner.";
        Runs "RS" "Runs scored.";
        RunsAllowed "RA" "Runs allowed.";
        HomeWins "HW" "Home games won.";
        HomeGames "HG" "Home games.";
        OneRunWins "W1" "Games won by one run.";
        OneRunGames "G1" "Games decided by one run.";
        LeftOnBase "LOB" "Runners on base at the end of the team's half-innings.";
    }
}
