//! Symmetric positive definite systems.

/// The lower triangle of a symmetric positive definite matrix's root, row by row.
pub(super) struct Cholesky {
    size: usize,
    root: Vec<f64>,
}

impl Cholesky {
    /// Decomposes a matrix of `size` rows, given row by row; only its lower triangle is read. None if it is not positive
    /// definite.
    pub(super) fn new(size: usize, mut matrix: Vec<f64>) -> Option<Self> {
        if matrix.len() != size * size {
            return None;
        }
        for row in 0..size {
            for column in 0..=row {
                let (above, here) = matrix.split_at_mut(row * size);
                let other = if row == column { &here[..column] } else { &above[column * size..column * size + column] };
                let products: f64 = here[..column].iter().zip(other).map(|(a, b)| a * b).sum();
                let left = here[column] - products;
                here[column] = if row == column {
                    if left <= 0.0 || !left.is_finite() {
                        return None;
                    }
                    left.sqrt()
                } else {
                    left / above[column * size + column]
                };
            }
        }
        Some(Cholesky { size, root: matrix })
    }

    /// The solution for a right side of `size` numbers.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let size = self.size;
        let mut x: Vec<f64> = right.to_vec();
        for row in 0..size {
            let products: f64 = self.root[row * size..row * size + row].iter().zip(&x).map(|(a, b)| a * b).sum();
            x[row] = (x[row] - products) / self.root[row * size + row];
        }
        for row in (0..size).rev() {
            x[row] /= self.root[row * size + row];
            let known = x[row];
            for (above, root) in x[..row].iter_mut().zip(&self.root[row * size..row * size + row]) {
                *above -= root * known;
            }
        }
        x
    }

    /// The diagonal of the inverse.
    pub(super) fn inverse_diagonal(&self) -> Vec<f64> {
        let size = self.size;
        (0..size)
            .map(|unit| {
                // The column of the root's inverse: zero above `unit`.
                let mut column = vec![0.0; size];
                column[unit] = 1.0 / self.root[unit * size + unit];
                for row in unit + 1..size {
                    let products: f64 = (unit..row).map(|k| self.root[row * size + k] * column[k]).sum();
                    column[row] = -products / self.root[row * size + row];
                }
                column[unit..].iter().map(|x| x * x).sum()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_system_is_solved() {
        // The inverse is (1/11) [[3, -1], [-1, 4]].
        let solver = Cholesky::new(2, vec![4.0, 99.0, 1.0, 3.0]).unwrap();
        let x = solver.solve(&[1.0, 2.0]);
        assert!((x[0] - 1.0 / 11.0).abs() < 1e-15 && (x[1] - 7.0 / 11.0).abs() < 1e-15, "{x:?}");
        let diagonal = solver.inverse_diagonal();
        assert!((diagonal[0] - 3.0 / 11.0).abs() < 1e-15 && (diagonal[1] - 4.0 / 11.0).abs() < 1e-15, "{diagonal:?}");
    }

    #[test]
    fn what_is_not_positive_definite_is_refused() {
        assert!(Cholesky::new(2, vec![1.0, 0.0, 2.0, 1.0]).is_none());
        assert!(Cholesky::new(1, vec![f64::NAN]).is_none());
        assert!(Cholesky::new(2, vec![1.0]).is_none());
    }
}
