/** Radius of all curves, and the space between things. */
const RADIUS = 10;
const GAP = 10;
/** Half the height of a box with text. */
export const HALF = 14;

/**
 * Something to draw, with a track through it from left to right. The track leaves `height` below where it comes in;
 * `up` and `down` are the space above the way in and below the way out.
 */
export interface Box {
  readonly width: number;
  readonly up: number;
  readonly height: number;
  readonly down: number;
  /** Adds elements to `out`, with the way in at `x`, `y`. */
  draw(x: number, y: number, out: string[]): void;
}

function track(out: string[], d: string): void {
  out.push(`<path class="track" d="${d}"/>`);
}

/** A quarter of a circle, to a point relative to where it starts. */
function arc(dx: number, dy: number, clockwise: boolean): string {
  return `a${RADIUS} ${RADIUS} 0 0 ${clockwise ? 1 : 0} ${dx} ${dy}`;
}

/** From a track to the right, down to a track to the right that is `dy` below; or up, for a negative one. */
function change(dy: number): string {
  const down = dy > 0;
  const r = down ? RADIUS : -RADIUS;
  return `${arc(RADIUS, r, down)}v${dy - 2 * r}${arc(RADIUS, r, !down)}`;
}

/** A track with nothing on it. */
export function straight(width: number): Box {
  return {
    width,
    up: 0,
    height: 0,
    down: 0,
    draw: (x, y, out) => {
      if (width > 0) track(out, `M${x} ${y}h${width}`);
    },
  };
}

/** Items behind one another; on several lines where they are wider than `room`. */
export function row(items: readonly Box[], room: number): Box {
  const rows: Box[][] = [];
  let width = 0;
  for (const item of items) {
    const current = rows.at(-1);
    if (current !== undefined && width + GAP + item.width <= room) {
      current.push(item);
      width += GAP + item.width;
    } else {
      rows.push([item]);
      width = item.width;
    }
  }
  const lines = rows.map(line);
  return lines.length === 1 ? lines[0]! : stack(lines);
}

function line(items: readonly Box[]): Box {
  let width = GAP * (items.length - 1);
  let height = 0;
  let up = 0;
  let bottom = 0;
  for (const item of items) {
    width += item.width;
    up = Math.max(up, item.up - height);
    height += item.height;
    bottom = Math.max(bottom, height + item.down);
  }
  return {
    width,
    up,
    height,
    down: bottom - height,
    draw: (x, y, out) => {
      let at = x;
      let level = y;
      items.forEach((item, i) => {
        if (i > 0) {
          track(out, `M${at} ${level}h${GAP}`);
          at += GAP;
        }
        item.draw(at, level, out);
        at += item.width;
        level += item.height;
      });
    },
  };
}

/** Lines below one another, with a track from the end of each back to the start of the next. */
function stack(lines: readonly Box[]): Box {
  const inner = Math.max(...lines.map(({ width }) => width));
  const starts: number[] = [];
  const middles: number[] = [];
  let level = 0;
  lines.forEach((each, i) => {
    const before = lines[i - 1];
    if (before !== undefined) {
      const end = level + before.height;
      const middle = end + Math.max(before.down + GAP, 2 * RADIUS);
      middles.push(middle);
      level = middle + Math.max(each.up + GAP, 2 * RADIUS);
    }
    starts.push(level);
  });
  const last = lines.at(-1)!;
  return {
    width: inner + 2 * RADIUS,
    up: lines[0]!.up,
    height: level + last.height,
    down: last.down,
    draw: (x, y, out) => {
      track(out, `M${x} ${y}h${RADIUS}`);
      lines.forEach((each, i) => {
        const start = y + starts[i]!;
        each.draw(x + RADIUS, start, out);
        const at = x + RADIUS + each.width;
        const end = start + each.height;
        const right = x + RADIUS + inner;
        if (i === lines.length - 1) {
          track(out, `M${at} ${end}H${right + RADIUS}`);
          return;
        }
        const middle = y + middles[i]!;
        const next = y + starts[i + 1]!;
        track(
          out,
          `M${at} ${end}H${right}${arc(RADIUS, RADIUS, true)}V${middle - RADIUS}${arc(-RADIUS, RADIUS, true)}` +
            `H${x + RADIUS}${arc(-RADIUS, RADIUS, false)}V${next - RADIUS}${arc(RADIUS, RADIUS, false)}`,
        );
      });
    },
  };
}

/** One of several ways, the first one straight on. */
export function choice(items: readonly Box[]): Box {
  const inner = Math.max(...items.map(({ width }) => width));
  const [first] = items as [Box];
  const levels: number[] = [];
  let bottom = 0;
  items.forEach((item, i) => {
    // Items further down start low enough for the curves, also for those back up to the way out.
    const level = i === 0 ? 0 : Math.max(bottom + GAP + item.up, first.height + 2 * RADIUS);
    levels.push(level);
    bottom = level + item.height + item.down;
  });
  const width = inner + 4 * RADIUS;
  return {
    width,
    up: first.up,
    height: first.height,
    down: bottom - first.height,
    draw: (x, y, out) => {
      items.forEach((item, i) => {
        const level = levels[i]!;
        const left = x + 2 * RADIUS;
        const right = left + inner;
        track(out, i === 0 ? `M${x} ${y}h${2 * RADIUS}` : `M${x} ${y}${change(level)}`);
        item.draw(left, y + level, out);
        const end = level + item.height;
        const back = first.height - end;
        const turn = i === 0 ? `H${x + width}` : `H${right}${change(back)}`;
        track(out, `M${left + item.width} ${y + end}${turn}`);
      });
    },
  };
}

/** An item with a way above it that leaves it out. */
export function bypass(item: Box): Box {
  const rise = Math.max(item.up + GAP, 2 * RADIUS);
  const width = item.width + 4 * RADIUS;
  return {
    width,
    up: rise,
    height: item.height,
    down: item.down,
    draw: (x, y, out) => {
      track(out, `M${x} ${y}h${2 * RADIUS}`);
      item.draw(x + 2 * RADIUS, y, out);
      track(out, `M${x + width - 2 * RADIUS} ${y + item.height}h${2 * RADIUS}`);
      track(out, `M${x} ${y}${change(-rise)}h${item.width}${change(rise + item.height)}`);
    },
  };
}

/** An item with a way below it back to its start, and what stands on that way. */
export function loop(item: Box, back: Box | undefined): Box {
  const inner = Math.max(item.width, back?.width ?? 0);
  const drop = Math.max(item.down + GAP + (back?.up ?? 0), 2 * RADIUS);
  const width = inner + 2 * RADIUS;
  return {
    width,
    up: item.up,
    height: item.height,
    down: drop + (back === undefined ? 4 : back.height + back.down),
    draw: (x, y, out) => {
      const left = x + RADIUS;
      const right = left + inner;
      const end = y + item.height;
      const level = end + drop;
      track(out, `M${x} ${y}h${RADIUS}`);
      item.draw(left, y, out);
      track(out, `M${left + item.width} ${end}H${right + RADIUS}`);
      track(out, `M${right} ${end}${arc(RADIUS, RADIUS, true)}V${level - RADIUS}${arc(-RADIUS, RADIUS, true)}`);
      track(out, `M${left} ${y}${arc(-RADIUS, RADIUS, false)}V${level - RADIUS}${arc(RADIUS, RADIUS, false)}`);
      const space = (inner - (back?.width ?? 0)) / 2;
      if (back === undefined) track(out, `M${left} ${level}H${right}`);
      else {
        if (space > 0) track(out, `M${left} ${level}h${space}M${right} ${level}h${-space}`);
        back.draw(left + space, level, out);
      }
      const tip = space > 12 || back === undefined ? left + Math.max(2, space / 2 - 3) : undefined;
      if (tip !== undefined) track(out, `M${tip + 6} ${level - 4}l-6 4l6 4`);
    },
  };
}

/** A frame around an item, with a label in its upper left corner. */
export function frame(item: Box, label: string, labelWidth: number, className: string): Box {
  const inner = Math.max(item.width, labelWidth);
  const width = inner + 2 * GAP;
  const up = item.up + GAP + 16;
  const down = item.down + GAP;
  return {
    width,
    up,
    height: item.height,
    down,
    draw: (x, y, out) => {
      out.push(
        `<rect class="frame ${className}" x="${x + 0.5}" y="${y - up + 0.5}" width="${width - 1}" height="${up + item.height + down - 1}" rx="6"/>`,
        `<text class="label" x="${x + GAP}" y="${y - up + 14}">${label}</text>`,
      );
      track(out, `M${x} ${y}h${GAP}`);
      item.draw(x + GAP, y, out);
      track(out, `M${x + GAP + item.width} ${y + item.height}H${x + width}`);
    },
  };
}
