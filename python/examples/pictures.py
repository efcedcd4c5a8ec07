"""Trains train_gamba.py's player and draws how that went, for docs/guides/train-in-python.md.

    python3 python/examples/pictures.py            trains, then writes figures and pictures
    python3 python/examples/pictures.py --redraw   draws the figures that are there again

The figures are docs/pictures/training.json, the pictures training.svg and strength.svg beside it.
"""

import argparse
import json
import math
import pathlib
import time

import train_gamba

PICTURES = pathlib.Path(__file__).resolve().parents[2] / "docs/pictures"
WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 48, 40, 48
COLOURS = {"casual": "#1f6f8b", "thrifty": "#b4541a"}


def figures(updates, seed):
    network = train_gamba.fresh(seed)
    began, busy = time.monotonic(), time.process_time()
    curve = train_gamba.train(network, updates, seed)
    seconds, busy = time.monotonic() - began, time.process_time() - busy
    train_gamba.np.savez(train_gamba.WEIGHTS, **network.parts)
    told = lambda r: [round(number, 4) for number in (r.score, r.low, r.high)]  # noqa: E731
    return {
        "updates": updates,
        "seed": seed,
        "seconds": round(seconds),
        "processor_seconds": round(busy),
        "curve": [
            {"games": games, **{name: told(r) for name, r in results.items()}}
            for games, results in curve
        ],
        "matches": {
            name: {"wins": r.wins, "draws": r.draws, "losses": r.losses, "score": told(r)}
            for name, r in train_gamba.measure(network).items()
        },
    }


def across(share):
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def up(score, low=0.0, high=1.0):
    return round(HEIGHT - BOTTOM - (score - low) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)


def text(x, y, words, anchor="middle", colour="#333", size=13):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}" font-size="{size}">{words}</text>'


def line(x1, y1, x2, y2, colour, width=1, dashes=""):
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" stroke-width="{width}"{dashed}/>'


def drawing(title, parts, height=HEIGHT):
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'font-family="sans-serif" role="img" aria-label="{title}">',
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
            text(WIDTH / 2, 22, title, size=15),
            *parts,
            "</svg>\n",
        ]
    )


def training(told):
    """The share of points against each opponent, while it learns."""
    low, high, curve = 0.3, 0.9, told["curve"]
    # Every ten times as many games are as far apart as the ten before.
    last = math.log10(curve[-1]["games"])
    first = math.log10(curve[0]["games"])

    def place(games):
        return across((math.log10(games) - first) / (last - first))

    parts = []
    for tenth in range(3, 10):
        y = up(tenth / 10, low, high)
        dashes = "5 4" if tenth == 5 else ""
        colour = "#777" if tenth == 5 else "#e3e3e3"
        parts += [line(LEFT, y, WIDTH - RIGHT, y, colour, dashes=dashes)]
        parts += [text(LEFT - 8, y + 4, f"0.{tenth}", "end")]
    for power in range(math.ceil(first), math.floor(last) + 1):
        parts.append(line(place(10**power), TOP, place(10**power), HEIGHT - BOTTOM, "#e3e3e3"))
        parts.append(text(place(10**power), HEIGHT - BOTTOM + 20, f"{10**power:,}"))
    parts.append(text(across(0.5), HEIGHT - 8, "games played against itself"))
    for name, colour in COLOURS.items():
        points = [(place(look["games"]), *look[name]) for look in curve]
        upper = [f"{x},{up(top, low, high)}" for x, _, _, top in points]
        lower = [f"{x},{up(bottom, low, high)}" for x, _, bottom, _ in reversed(points)]
        path = " ".join(f"{x},{up(score, low, high)}" for x, score, _, _ in points)
        parts.append(f'<polygon points="{" ".join(upper + lower)}" fill="{colour}" opacity="0.18"/>')
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        y = up(points[-1][1], low, high) - 24
        parts.append(text(across(1) - 4, y, f"against {name}", "end", colour))
    return drawing("Score while learning, with 95 % intervals (400 games each)", parts)


def strength(told):
    """The score of the finished player, with its interval."""
    height = 190
    parts = []
    for tenth in range(4, 10):
        x = across((tenth - 4) / 5)
        half = tenth == 5
        parts.append(line(x, 40, x, 140, "#777" if half else "#e3e3e3", dashes="5 4" if half else ""))
        parts.append(text(x, 158, f"0.{tenth}"))
    parts.append(text(across(0.5), 180, "score: 1 for a win, one half is even"))
    for row, (name, result) in enumerate(told["matches"].items()):
        y, colour = 66 + 44 * row, COLOURS[name]
        score, low, high = (across((number - 0.4) / 0.5) for number in result["score"])
        parts.append(text(LEFT - 8, y + 4, name, "end", colour))
        parts.append(line(low, y, high, y, colour, 4))
        parts += [line(end, y - 8, end, y + 8, colour, 2) for end in (low, high)]
        parts.append(f'<circle cx="{score}" cy="{y}" r="6" fill="{colour}"/>')
        words = "{:.3f} ({:.3f} to {:.3f})".format(*result["score"])
        parts.append(text(score, y - 14, words, colour=colour, size=12))
    return drawing("1,000 games against each house bot, seats changed, 95 % intervals", parts, height)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--redraw", action="store_true", help="do not train")
    parser.add_argument("--updates", type=int, default=train_gamba.UPDATES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=PICTURES, metavar="DIR")
    said = parser.parse_args()
    kept = said.out / "training.json"
    if not said.redraw:
        kept.write_text(json.dumps(figures(said.updates, said.seed), indent=1) + "\n")
    told = json.loads(kept.read_text())
    (said.out / "training.svg").write_text(training(told))
    (said.out / "strength.svg").write_text(strength(told))


if __name__ == "__main__":
    main()
