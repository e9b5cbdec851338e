//! Random policies, random rows.

use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

use super::{Row, SURROUNDINGS, compare, readers, table};
use crate::kit::Server;

const TABLES: usize = 16;
const ROUNDS: i32 = 10;

/// xorshift64*: enough for tests, and repeatable.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % limit
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }

    /// A condition on a row and its reader.
    fn condition(&mut self, depth: u32) -> String {
        match self.below(if depth == 0 { 1 } else { 5 }) {
            1 => format!("({} and {})", self.condition(depth - 1), self.condition(depth - 1)),
            2 => format!("({} or {})", self.condition(depth - 1), self.condition(depth - 1)),
            3 => format!("not {}", self.condition(depth - 1)),
            _ => format!("({})", self.one(&CONDITIONS)),
        }
    }

    /// The policies of a table.
    fn policies(&mut self, name: &str) -> String {
        let mut sql = String::new();
        for number in 0..=self.below(3) {
            let kind = if number > 0 && self.below(2) == 0 { "as restrictive" } else { "" };
            let roles = self.one(&["public", "authenticated", "anon", "anon, authenticated"]);
            let condition = self.condition(2);
            sql +=
                &format!("create policy p{number} on public.{name} {kind} for select to {roles} using ({condition}); ");
        }
        sql
    }

    /// The columns of a row behind its id, in the order of the table.
    fn row(&mut self) -> [String; 7] {
        let number = |random: &mut Self| random.one(&["0", "1", "2", "3", "null"]).to_owned();
        let owner = self.one(&["1", "2", "3", "4"]);
        [
            format!("'00000000-0000-4000-8000-00000000000{owner}'"),
            number(self),
            number(self),
            number(self),
            number(self),
            self.one(&["'a'", "'b'", "'c'", "null"]).to_owned(),
            self.one(&["true", "false", "null"]).to_owned(),
        ]
    }
}

/// Ownership, memberships, claims in every place, columns; each in the ways that policies write them.
const CONDITIONS: [&str; 18] = [
    "owner = auth.uid()",
    "owner = (select auth.uid())",
    "(select auth.uid()) is null",
    "auth.role() = 'authenticated'",
    "(select auth.role()) <> 'anon'",
    "org in (select public.my_orgs())",
    "org = any (array(select public.my_orgs()))",
    "org in (select m.org from public.members m where m.user_id = (select auth.uid()))",
    "exists (select from public.members m where m.org = org and m.user_id = auth.uid() and m.level >= level)",
    "exists (select from public.members m where m.user_id = owner)",
    "(auth.jwt() -> 'app_metadata' ->> 'org')::int = org",
    "org = (select (auth.jwt() -> 'app_metadata' ->> 'org')::int)",
    "level <= coalesce((select (auth.jwt() #>> '{app_metadata,level}')::int), 1)",
    "(auth.jwt() -> 'app_metadata' -> 'tags') ? tag",
    "current_setting('request.jwt.claim.sub', true) = owner::text",
    "a < b",
    "a is distinct from b",
    "shared",
];

#[tokio::test]
async fn random_policies_hide_and_show_what_a_select_does() {
    let server = Server::start().await;
    let mut admin = server.database.connect().await;
    // DUGOUT_TEST_SEED repeats a failure.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let seed = std::env::var("DUGOUT_TEST_SEED").map_or(now, |seed| seed.parse().unwrap());
    let mut random = Random(seed | 1);
    admin.batch_execute(SURROUNDINGS).await.unwrap();
    let names: Vec<String> = (0..TABLES).map(|number| format!("random_{number}")).collect();
    let mut about = format!("DUGOUT_TEST_SEED={seed}");
    for name in &names {
        let policies = random.policies(name);
        admin.batch_execute(&(table(name) + &policies)).await.unwrap();
        about += &format!("\n{policies}");
    }
    let mut readers = readers(&server).await;
    let mut before: Vec<Row> = Vec::new();
    let mut next = 0;
    for round in 1..=ROUNDS {
        let mut changed: BTreeSet<Row> = BTreeSet::new();
        // Each transaction writes to all tables, and several of them may be in one batch.
        for _ in 0..3 {
            let mut sql = String::from("begin; ");
            for name in &names {
                next += 1;
                sql += &format!("insert into public.{name} values ({next}, {}); ", random.row().join(", "));
                changed.insert((name.clone(), next));
            }
            // Others may see a row after an update than before.
            for _ in 0..before.len().min(8) {
                let at = random.below(before.len() as u64);
                let (name, id) = before[usize::try_from(at).unwrap()].clone();
                if changed.insert((name.clone(), id)) {
                    let row = random.row().join(", ");
                    sql += &format!(
                        "update public.{name} set (owner, org, level, a, b, tag, shared) = ({row}) where id = {id}; "
                    );
                }
            }
            admin.batch_execute(&(sql + "commit")).await.unwrap();
        }
        compare(&mut admin, &mut readers, round, &changed, &about).await;
        before.extend(changed);
    }
}
