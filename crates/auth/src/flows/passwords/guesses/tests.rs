use super::*;

fn at(begin: Instant, seconds: f64) -> Instant {
    begin + Duration::from_secs_f64(seconds)
}

fn inner(guesses: &Guesses) -> MutexGuard<'_, Inner> {
    guesses.inner()
}

const ANA: AccountKey = [1; 16];

fn guess(inner: &mut Inner, client: &str, times: usize, now: Instant) {
    for _ in 0..times {
        inner.count(ANA, Client::called(client), 1.0, now);
    }
}

#[test]
fn ten_wrong_passwords_are_free_then_pauses_double_and_stay_bounded() {
    let (guesses, begin) = (Guesses::new(), Instant::now());
    let mut inner = inner(&guesses);
    guess(&mut inner, "a", 9, begin);
    assert!(!inner.is_guarded(ANA, begin));
    let mut pauses = Vec::new();
    for _ in 0..8 {
        guess(&mut inner, "a", 1, begin);
        assert!(inner.is_guarded(ANA, begin));
        pauses.push(inner.pause(ANA, begin).as_millis());
    }
    assert_eq!(pauses, [500, 1000, 2000, 4000, 8000, 8000, 8000, 8000]);
    // The count falls by one per minute: after any attack the account is free again within seven minutes.
    assert!(inner.is_guarded(ANA, at(begin, 419.0)));
    assert!(!inner.is_guarded(ANA, at(begin, 421.0)));
    assert!(!inner.is_guarded([2; 16], begin), "other accounts do not wait");
}

#[test]
fn a_client_without_wrong_guesses_goes_before_all_others() {
    let (guesses, begin) = (Guesses::new(), Instant::now());
    let mut inner = inner(&guesses);
    let crowd: Vec<String> = (0..WAITING).map(|number| format!("guesser {number}")).collect();
    for guesser in &crowd {
        guess(&mut inner, guesser, 1, begin);
    }
    let tickets: Vec<u64> =
        crowd.iter().map(|guesser| inner.line_up(ANA, Client::called(guesser), begin).unwrap()).collect();
    assert_eq!(inner.step(ANA, tickets[0], begin), Step::At(at(begin, 8.0)));
    // The line is full, but the owner displaces a guesser, and another guesser displaces nobody.
    let owner = inner.line_up(ANA, Client::called("owner"), at(begin, 7.0)).unwrap();
    guess(&mut inner, "late", 1, begin);
    assert_eq!(inner.line_up(ANA, Client::called("late"), at(begin, 7.0)), None);
    let displaced = tickets.iter().filter(|ticket| inner.step(ANA, **ticket, at(begin, 7.0)) == Step::Displaced);
    assert_eq!(displaced.count(), 1);
    let kept = *tickets.iter().find(|ticket| inner.step(ANA, **ticket, at(begin, 7.0)) != Step::Displaced).unwrap();
    assert!(matches!(inner.step(ANA, kept, at(begin, 8.0)), Step::At(_)));
    assert_eq!(inner.step(ANA, owner, at(begin, 8.0)), Step::Go);
    // One attempt per pause: all others wait again.
    assert!(matches!(inner.step(ANA, kept, at(begin, 8.1)), Step::At(next) if next > at(begin, 15.0)));
    assert_eq!(inner.step(ANA, kept, at(begin, 16.1)), Step::Go);
}

/// A client of the simulation.
enum State {
    Pausing(Instant),
    Waiting(u64, Instant),
}

/// How long a client that never guessed waits while `crowd` clients guess on, each one second after a refusal; `None` if
/// it is refused.
fn wait_of_owner(crowd: usize, arrival: f64) -> Option<Duration> {
    let (guesses, begin) = (Guesses::new(), Instant::now());
    let mut inner = inner(&guesses);
    guess(&mut inner, "first", 16, begin);
    let mut guessers: Vec<State> = (0..crowd).map(|_| State::Pausing(begin)).collect();
    let mut owner = None;
    for tick in 0..2000_u32 {
        let now = begin + LOOK * tick;
        for (number, state) in guessers.iter_mut().enumerate() {
            let client = Client::called(&format!("guesser {number}"));
            let refused = State::Pausing(now + Duration::from_secs(1));
            match *state {
                State::Pausing(until) if until <= now => {
                    *state = inner.line_up(ANA, client, now).map_or(refused, |ticket| State::Waiting(ticket, now));
                }
                State::Pausing(_) => {}
                State::Waiting(ticket, since) => match inner.step(ANA, ticket, now) {
                    Step::Go => {
                        inner.count(ANA, client, 1.0, now);
                        *state = State::Pausing(now);
                    }
                    Step::At(_) if now.duration_since(since) < PATIENCE => {}
                    Step::At(_) | Step::Displaced => {
                        inner.leave(ANA, ticket);
                        *state = refused;
                    }
                },
            }
        }
        if now < at(begin, arrival) {
            continue;
        }
        let (ticket, since) = match owner {
            Some(waiting) => waiting,
            None => *owner.insert((inner.line_up(ANA, Client::called("owner"), now)?, now)),
        };
        match inner.step(ANA, ticket, now) {
            Step::Go => return Some(now.duration_since(since)),
            Step::At(_) if now.duration_since(since) < PATIENCE => {}
            Step::At(_) | Step::Displaced => return None,
        }
    }
    None
}

#[test]
fn a_client_that_never_guessed_waits_for_one_pause_whatever_the_crowd() {
    for crowd in [1, 15, 16, 17, 40, 300] {
        for arrival in 0..20 {
            let arrival = 10.0 + f64::from(arrival) * 1.3;
            let waited = wait_of_owner(crowd, arrival);
            assert!(waited.is_some_and(|waited| waited <= LONGEST_PAUSE + LOOK), "{crowd} at {arrival}: {waited:?}");
        }
    }
}

#[test]
fn one_client_cannot_fill_the_line() {
    let (guesses, begin) = (Guesses::new(), Instant::now());
    let mut inner = inner(&guesses);
    let mut line_up = || inner.line_up(ANA, Client::called("a"), begin);
    assert!(line_up().is_some() && line_up().is_some());
    assert_eq!(line_up(), None);
}

#[tokio::test]
async fn a_known_client_passes_at_once_until_it_guesses_itself() {
    let guesses = Guesses::new();
    let (owner, thief) = (Client::called("owner"), Client::called("thief"));
    let no_session = || async { Ok(false) };
    guesses.begin(ANA, owner, no_session()).await.unwrap().succeeded();
    for _ in 0..10 {
        guesses.begin(ANA, thief, no_session()).await.unwrap();
    }
    let begun = Instant::now();
    let attempt = guesses.begin(ANA, owner, no_session()).await.unwrap();
    assert!(attempt.known && begun.elapsed() < FIRST_PAUSE);
    attempt.succeeded();
    // The same for a client that only the database remembers.
    let attempt = guesses.begin(ANA, Client::called("phone"), async { Ok(true) }).await.unwrap();
    assert!(attempt.known && begun.elapsed() < FIRST_PAUSE);
    assert!(!guesses.begin(ANA, thief, no_session()).await.unwrap().known);
    assert!(begun.elapsed() >= FIRST_PAUSE);
    guess(&mut inner(&guesses), "owner", 10, Instant::now());
    assert!(!inner(&guesses).knows(ANA, owner, Instant::now()));
}

#[tokio::test]
async fn guesses_made_all_at_once_count_before_the_first_is_answered() {
    let guesses = Guesses::new();
    let mut held = Vec::new();
    for number in 0..10 {
        let client = Client::called(&number.to_string());
        held.push(guesses.begin(ANA, client, async { Ok(false) }).await.unwrap());
    }
    assert!(inner(&guesses).is_guarded(ANA, Instant::now()));
    held.pop().unwrap().succeeded();
    assert!(!inner(&guesses).is_guarded(ANA, Instant::now()), "a right password does not count as a guess");
}

#[test]
fn what_is_remembered_is_bounded() {
    let (guesses, begin) = (Guesses::new(), Instant::now());
    let mut inner = inner(&guesses);
    for number in 0..=u32::try_from(REMEMBERED.get()).unwrap() {
        let mut account = [0; 16];
        account[..4].copy_from_slice(&number.to_be_bytes());
        inner.count(account, Client::called("a"), 1.0, begin);
    }
    assert_eq!((inner.accounts.len(), inner.clients.len()), (REMEMBERED.get(), REMEMBERED.get()));
}

#[test]
fn accounts_are_told_apart_by_address_and_audience_in_any_case() {
    let email = |text: &str| Address::Email(text.to_owned());
    let ana = account(&email("ana@x.test"), "authenticated");
    assert_eq!(ana, account(&email("Ana@X.test"), "authenticated"));
    for other in [
        account(&email("bob@x.test"), "authenticated"),
        account(&email("ana@x.test"), "others"),
        account(&Address::Phone("ana@x.test".to_owned()), "authenticated"),
    ] {
        assert_ne!(ana, other);
    }
}
