//! The gems that treasures are made of, by name.

/// One of the 102 gems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gem(u8);

impl Gem {
    pub const COUNT: usize = NAMES.len();

    /// Every gem, in alphabetical order.
    pub fn all() -> impl Iterator<Item = Gem> {
        (0..Gem::COUNT as u8).map(Gem)
    }

    /// The gem with this number, from 0 in alphabetical order.
    pub fn numbered(number: usize) -> Gem {
        assert!(number < Gem::COUNT, "there are {} gems", Gem::COUNT);
        Gem(number as u8)
    }

    /// Its number.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn name(self) -> &'static str {
        NAMES[self.index()]
    }

    pub fn named(name: &str) -> Option<Gem> {
        NAMES.binary_search(&name).ok().map(|index| Gem(index as u8))
    }
}

/// A treasure: two gems, possibly the same. Their order is kept for the wire and means nothing.
#[derive(Clone, Copy, Debug, Eq)]
pub struct Treasure(pub [Gem; 2]);

impl Treasure {
    /// How many different treasures there are.
    pub const COUNT: usize = Gem::COUNT * (Gem::COUNT + 1) / 2;

    /// The number of this treasure among all, the same whichever gem comes first.
    pub fn number(self) -> usize {
        let [one, two] = self.0.map(Gem::index);
        let (low, high) = (one.min(two), one.max(two));
        high * (high + 1) / 2 + low
    }
}

impl PartialEq for Treasure {
    fn eq(&self, other: &Treasure) -> bool {
        self.number() == other.number()
    }
}

/// Sorted, so that a name is found by halving.
const NAMES: [&str; 102] = [
    "alexandrite",
    "alexandrite-pear-shape",
    "almandine-garnet",
    "amethyst",
    "ametrine",
    "ammolite",
    "apatite",
    "aplite",
    "apricot-square-radiant",
    "aquamarine",
    "australian-marquise",
    "aventurine",
    "azurite",
    "beryl",
    "black-obsidian",
    "black-onyx",
    "black-spinel-cushion",
    "blue-ceylon-sapphire",
    "blue-cushion",
    "blue-pear-shape",
    "blue-spinel-heart",
    "bulls-eye",
    "carnelian",
    "chrome-diopside",
    "chrysoberyl-cushion",
    "chrysolite",
    "citrine",
    "citrine-checkerboard",
    "clinohumite",
    "color-change-oval",
    "cordierite",
    "diamond",
    "dumortierite",
    "emerald",
    "fancy-spinel-marquise",
    "garnet",
    "golden-diamond-cut",
    "goldstone",
    "grandidierite",
    "gray-agate",
    "green-aventurine",
    "green-beryl",
    "green-beryl-antique",
    "green-princess-cut",
    "grossular-garnet",
    "hackmanite",
    "heliotrope",
    "hematite",
    "iolite-emerald-cut",
    "jasper",
    "jaspilite",
    "kunzite",
    "kunzite-oval",
    "labradorite",
    "lapis-lazuli",
    "lemon-quartz-briolette",
    "magnesite",
    "mexican-opal",
    "moonstone",
    "morganite-oval",
    "moss-agate",
    "orange-radiant",
    "padparadscha-oval",
    "padparadscha-sapphire",
    "peridot",
    "pink-emerald-cut",
    "pink-opal",
    "pink-round",
    "pink-spinel-cushion",
    "prasiolite",
    "prehnite",
    "purple-cabochon",
    "purple-oval",
    "purple-spinel-trillion",
    "purple-square-cushion",
    "raw-beryl",
    "raw-citrine",
    "red-diamond",
    "red-spinel-square-emerald-cut",
    "rhodonite",
    "rock-quartz",
    "rose-quartz",
    "ruby",
    "ruby-diamond-profile",
    "sphalerite",
    "spinel",
    "star-cabochon",
    "stilbite",
    "sunstone",
    "super-seven",
    "tanzanite-trillion",
    "tigers-eye",
    "tourmaline",
    "tourmaline-laser-cut",
    "unakite",
    "white-square",
    "yellow-baguette",
    "yellow-beryl-oval",
    "yellow-heart",
    "yellow-jasper",
    "zircon",
    "zoisite",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gem_is_found_by_its_name() {
        assert!(NAMES.is_sorted());
        assert!(Gem::all().all(|gem| Gem::named(gem.name()) == Some(gem)));
        assert_eq!(Gem::named("glass"), None);
    }

    #[test]
    fn treasures_are_numbered_without_gaps_and_without_order() {
        let mut seen = vec![0; Treasure::COUNT];
        for one in Gem::all() {
            for two in Gem::all() {
                seen[Treasure([one, two]).number()] += 1;
                assert_eq!(Treasure([one, two]), Treasure([two, one]));
            }
        }
        assert!(seen.iter().all(|&times| times == 1 || times == 2));
        assert_eq!(seen.iter().filter(|&&times| times == 1).count(), Gem::COUNT);
    }
}
