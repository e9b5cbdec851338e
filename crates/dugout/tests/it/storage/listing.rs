//! The page of a folder that list-v2 reads by itself, beside `storage.search_v2()`.

use crate::kit::Database;

const FOLDER: &str = include_str!("../../../../storage/src/store/folder.sql");
const THEIRS: &str = "select key, name, id, updated_at, created_at, last_accessed_at, metadata
    from storage.search_v2($1, $2, $3, $4, $5, 'asc', 'name', '')";

/// Numbers that look random, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// A name of one to four parts, of characters before, at and after the slash.
    fn name(&mut self) -> String {
        let part = |numbers: &mut Numbers| -> String {
            (0..=numbers.below(2)).map(|_| ["a", "b", "0", "!", ".", "é", "~"][numbers.below(7) as usize]).collect()
        };
        (0..=self.below(4)).map(|_| part(self)).collect::<Vec<_>>().join("/")
    }
}

#[tokio::test]
async fn a_page_of_a_folder_is_that_of_search_v2() {
    let database = Database::cloned().await;
    let client = database.connect().await;
    client.batch_execute("insert into storage.buckets (id, name) values ('b', 'b'), ('c', 'c')").await.unwrap();
    let mut numbers = Numbers(17);
    for _ in 0..400 {
        let insert =
            "insert into storage.objects (bucket_id, name, metadata) values ('b', $1, '{}') on conflict do nothing";
        client.execute(insert, &[&numbers.name()]).await.unwrap();
    }
    let (mut pages, mut rows) = (0, 0);
    for _ in 0..600 {
        let name = numbers.name();
        let mut prefix = String::new();
        if numbers.below(3) > 0 {
            // With and without a slash at the end, and within a name.
            let length = numbers.below(name.chars().count() as u64 + 1) as usize;
            prefix = name.chars().take(length).collect();
        }
        // The cursor of a page is a name or a folder below the prefix.
        let after = if numbers.below(2) == 0 { String::new() } else { format!("{prefix}{}", numbers.name()) };
        let limit = 1 + numbers.below(12) as i32;
        let levels = prefix.split('/').count() as i32;
        let ours = client.query(FOLDER, &[&"b", &prefix, &after, &limit, &levels]).await.unwrap();
        let theirs = client.query(THEIRS, &[&prefix, &"b", &limit, &levels, &after]).await.unwrap();
        let told = |rows: &[tokio_postgres::Row]| -> Vec<(String, String, bool)> {
            rows.iter().map(|row| (row.get(0), row.get(1), row.get::<_, Option<uuid::Uuid>>(2).is_some())).collect()
        };
        assert_eq!(told(&ours), told(&theirs), "prefix {prefix:?}, after {after:?}, limit {limit}");
        (pages, rows) = (pages + usize::from(!ours.is_empty()), rows + ours.len());
    }
    assert!(pages > 200 && rows > 1_000, "{rows} rows in {pages} pages prove little");
}
