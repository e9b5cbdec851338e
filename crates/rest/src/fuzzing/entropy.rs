//! Choices for a random request, from the bytes of a fuzzer or a seeded generator.

/// Text with a meaning in SQL, JSON, arrays or URLs. In a value it must have none.
const HOSTILE: [&str; 24] = [
    "'",
    "\"",
    "\\",
    ",",
    ")",
    "(",
    "{",
    "}",
    "$1",
    "--",
    ";",
    "/*",
    "\0",
    "é",
    "\u{202e}",
    "%",
    "*",
    ":",
    "\n",
    "||",
    "'; drop table t; --",
    "E'\\''",
    "\u{1f4a9}",
    " ",
];

/// Turns bytes into choices. When the bytes are used up, every choice is the first.
pub(super) struct Entropy<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The number of values so far.
    values: u64,
    /// The markers of these values. A marker in the text of a statement means that a value was not sent as a parameter.
    pub(super) markers: Vec<String>,
}

impl<'a> Entropy<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Entropy { bytes, at: 0, values: 0, markers: Vec::new() }
    }

    fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        byte
    }

    /// A number below `n`, which must not be 0.
    pub(super) fn below(&mut self, n: usize) -> usize {
        if n <= 256 {
            return usize::from(self.byte()) % n;
        }
        usize::from(u16::from_be_bytes([self.byte(), self.byte()])) % n
    }

    /// True in `percent` of all cases; false when the bytes are used up.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A value with a unique marker of 16 bytes, sometimes surrounded by hostile text.
    pub(super) fn value(&mut self) -> String {
        self.values += 1;
        let number = self.values << 16 | u64::from(self.byte()) << 8 | u64::from(self.byte());
        let marker = format!("{:016x}", splitmix(number));
        self.markers.push(marker.clone());
        let mut value = String::new();
        while self.chance(30) && value.len() < 40 {
            value.push_str(self.pick(&HOSTILE));
        }
        value.push_str(&marker);
        while self.chance(30) && value.len() < 80 {
            value.push_str(self.pick(&HOSTILE));
        }
        value
    }

    /// A unique number of 16 digits, which is also a marker.
    pub(super) fn number(&mut self) -> String {
        self.values += 1;
        let number = format!("{}", 1_000_000_000_000_000 + splitmix(self.values) % 9_000_000_000_000_000);
        self.markers.push(number.clone());
        number
    }

    /// A name that nothing in the catalog has.
    pub(super) fn strange_name(&mut self) -> String {
        let mut name = String::from(self.pick(&["", "n", "N", "select", "x y"]));
        while self.chance(60) && name.len() < 40 {
            name.push_str(self.pick(&HOSTILE));
            name.push_str(self.pick(&["", "a", "B", "_", "1"]));
        }
        name
    }
}

/// Pseudo-random bytes, the same for the same seed.
pub fn bytes_of_seed(seed: u64, length: usize) -> Vec<u8> {
    (0..length.div_ceil(8) as u64)
        .flat_map(|word| splitmix(seed.wrapping_mul(0x1_0000_0001).wrapping_add(word)).to_be_bytes())
        .collect()
}

/// SplitMix64's output function (Steele, Lea and Flood 2014): every bit of the input affects every bit of the output.
fn splitmix(number: u64) -> u64 {
    let z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
