// The arbiter's clock as a pure state machine: times are milliseconds, `now` is handed in.
//
// A setting: base (main time of a side, s), period (s for each move afterwards, 0 = none), periods
// (overruns that lose, null = they are only counted), increment (s after each move while the main
// time lasts). A clock: setting, turn, running, since, flag (who has lost on time, or null), sides
// [{main, left, over, moves}], undo (the clock before the last switch, or null).

export function fresh(setting, used = 0) {
  // `used`: seconds played before the clock was put on; both sides bear half (S2-WQ-5)
  const side = () => ({
    main: Math.max(0, setting.base * 1000 - used * 500), left: setting.period * 1000, over: 0, moves: 0,
  });
  return { setting, turn: 0, running: false, since: 0, flag: null, sides: [side(), side()], undo: null };
}

// What is left of a side's time after `ms` more of its thinking, and whether the flag has fallen.
function spend(setting, side, ms) {
  const main = Math.max(0, side.main - ms);
  if (main > 0) return [{ ...side, main }, false];
  let left = side.left - (ms - (side.main - main)), over = side.over;
  if (!setting.period) return [{ ...side, main }, true];
  for (; left <= 0; left += setting.period * 1000) {
    over += 1;
    if (setting.periods !== null && over >= setting.periods)
      return [{ ...side, main, left: 0, over }, true];
  }
  return [{ ...side, main, left, over }, false];
}

function charge(clock, seat, ms) {
  const [side, fallen] = spend(clock.setting, clock.sides[seat], ms);
  const next = { ...clock, sides: clock.sides.map((old, i) => (i === seat ? side : old)) };
  return fallen ? { ...next, flag: seat, running: false, undo: null } : next;
}

// The clock as it stands now.
export function settle(clock, now) {
  if (!clock.running) return { ...clock, since: now };
  return { ...charge(clock, clock.turn, Math.max(0, now - clock.since)), since: now };
}

export function start(clock, now) {
  const settled = settle(clock, now);
  return { ...settled, running: settled.flag === null };
}

export function pause(clock, now) {
  return { ...settle(clock, now), running: false, undo: null };
}

// The side to move has moved: its clock stops, the other's runs.
export function press(clock, now) {
  const before = settle(clock, now);
  if (!before.running) return before;
  const { setting, turn } = before;
  const side = { ...before.sides[turn], left: setting.period * 1000 };
  if (side.main > 0) side.main += setting.increment * 1000;
  side.moves += 1;
  return {
    ...before,
    turn: 1 - turn,
    sides: before.sides.map((old, i) => (i === turn ? side : old)),
    undo: { ...before, undo: null },
  };
}

// The switch was a mistake: as if it had not been made, what has passed since counts for the mover.
export function unpress(clock, now) {
  return clock.undo && clock.running ? settle(clock.undo, now) : clock;
}

// The arbiter adds seconds to a side's main time, or takes them off (a penalty).
export function adjust(clock, now, seat, seconds) {
  const before = { ...settle(clock, now), undo: null };
  if (seconds < 0) return before.flag === null ? charge(before, seat, -1000 * seconds) : before;
  const sides = before.sides.map((old, i) => (i === seat ? { ...old, main: old.main + 1000 * seconds } : old));
  return { ...before, sides, flag: before.flag === seat ? null : before.flag };
}

// What a side is using: its main time, or period number so and so, and the milliseconds left of it.
export function stage({ setting }, side) {
  return side.main > 0 || !setting.period ? { period: null, ms: side.main } : { period: side.over, ms: side.left };
}

// 1:23:45 or 12:34, tenths below 20 seconds; never 0 before the time is up.
export function digits(ms) {
  const tenths = Math.ceil(Math.max(0, ms) / 100 - 1e-6);
  if (tenths < 200) return (tenths / 10).toFixed(1);
  const s = Math.ceil(tenths / 10);
  const [h, m] = [Math.floor(s / 3600), Math.floor(s / 60) % 60];
  const pad = (n) => String(n).padStart(2, "0");
  return h ? `${h}:${pad(m)}:${pad(s % 60)}` : `${pad(m)}:${pad(s % 60)}`;
}

const TOLD = [60, 30, 10], COUNTED = [5, 4, 3, 2, 1];

// What has to be told between two moments of one running clock, the last of each kind: "left" (n
// seconds to go), "count" (of the last five), "periods" (the main time is over), "over", "flag".
export function signals(before, after) {
  const seat = before.turn, { setting } = before;
  const [then, now] = [before, after].map((clock) => stage(clock, clock.sides[seat]));
  if (after.flag !== null && before.flag === null) return [{ kind: "flag", seat: after.flag }];
  if (after.sides[seat].over > before.sides[seat].over)
    return [{ kind: "over", seat, n: after.sides[seat].over }];
  if (then.period === null && now.period !== null) return [{ kind: "periods", seat }];
  if (before.turn !== after.turn || then.period !== now.period) return [];
  const crossed = (s) => then.ms > s * 1000 && now.ms <= s * 1000 && now.ms > 0;
  const most = now.period === null ? Infinity : setting.period - 1;
  const told = TOLD.filter((s) => s <= most && crossed(s)).at(-1);
  const counted = COUNTED.filter((s) => s <= most && crossed(s)).at(-1);
  return [
    ...(told === undefined ? [] : [{ kind: "left", seat, n: told }]),
    ...(counted === undefined ? [] : [{ kind: "count", seat, n: counted }]),
  ];
}
