//! A short list of bounded length that lives where it is declared: hands, discards and scores
//! are copied with the game and never touch the heap.

use std::fmt;
use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

#[derive(Clone, Copy)]
pub struct Row<T, const N: usize> {
    items: [T; N],
    count: u8,
}

impl<T: Copy + Default, const N: usize> Row<T, N> {
    /// A list of `count` fillers.
    pub fn of(count: usize) -> Row<T, N> {
        assert!(count <= N, "a row of {N} cannot hold {count}");
        Row { items: [T::default(); N], count: count as u8 }
    }

    pub fn push(&mut self, item: T) {
        self.items[usize::from(self.count)] = item;
        self.count += 1;
    }

    /// Takes the item at `index` out and closes the hole.
    pub fn remove(&mut self, index: usize) {
        assert!(index < usize::from(self.count), "no item {index} in a row of {}", self.count);
        self.items.copy_within(index + 1.., index);
        self.count -= 1;
    }
}

impl<T: Copy + Default, const N: usize> Default for Row<T, N> {
    fn default() -> Row<T, N> {
        Row::of(0)
    }
}

impl<T: Copy + Default, const N: usize> FromIterator<T> for Row<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Row<T, N> {
        let mut row = Row::default();
        for item in items {
            row.push(item);
        }
        row
    }
}

impl<T, const N: usize> Deref for Row<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items[..usize::from(self.count)]
    }
}

impl<T, const N: usize> DerefMut for Row<T, N> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..usize::from(self.count)]
    }
}

impl<T: PartialEq, const N: usize> PartialEq for Row<T, N> {
    fn eq(&self, other: &Row<T, N>) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for Row<T, N> {}

impl<T: fmt::Debug, const N: usize> fmt::Debug for Row<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Serialize, const N: usize> Serialize for Row<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T, const N: usize> Deserialize<'de> for Row<T, N>
where
    T: Copy + Default + Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Row<T, N>, D::Error> {
        let items = Vec::<T>::deserialize(deserializer)?;
        if items.len() > N {
            return Err(de::Error::custom(format!("{} items, where {N} fit", items.len())));
        }
        Ok(items.into_iter().collect())
    }
}
