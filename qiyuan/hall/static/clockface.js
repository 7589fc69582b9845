// 棋钟 on the arbiter's page: two big buttons, the setting, penalties, warnings by sound and text.
import { askJson, keep, kept } from "./api.js";
import { SIDES } from "./board.js";
import { adjust, digits, fresh, pause, press, settle, signals, stage, start, unpress } from "./clock.js";
import { twice } from "./twice.js";

const $ = (id) => document.getElementById(id);
const OWN = { id: "own", zh: "自己设定", article: null, overrun: "记超时一次", flag: "超时判负" };
// Monotonic within a page, the wall's time between pages: a reload loses nothing.
const time = () => performance.timeOrigin + performance.now();
const skew = () => Date.now() - time();
let say, shown = () => false;
let controls = [OWN], control = OWN, clock = null, log = [], drift = skew(), sound = null;

export async function startClock({ tell, visible }) {
  [say, shown] = [tell, visible];
  for (const seat of [0, 1]) $(`clock-${seat}`).addEventListener("click", () => hit(seat));
  $("clock-go").addEventListener("click", begin);
  $("clock-preset").addEventListener("change", choose);
  $("clock-setup").addEventListener("input", paint);
  $("clock-pause").addEventListener("click", toggle);
  $("clock-undo").addEventListener("click", undo);
  $("clock-more").addEventListener("click", () => penalty(1));
  $("clock-less").addEventListener("click", () => penalty(-1));
  $("clock-sound").addEventListener("click", () => { keep("clock-sound", !kept("clock-sound", true)); soundText(); beep(880, 0.12); });
  twice($("clock-new"), again);
  document.addEventListener("keydown", space);
  document.addEventListener("keyup", space);
  soundText();
  const saved = kept("clock", null);
  if (Array.isArray(saved?.clock?.sides) && saved.clock.setting && saved.control && Array.isArray(saved.log)) {
    ({ clock, control, log } = saved);
    step(time());
  }
  show();
  setInterval(() => clock && clock.running && step(time()), 100);
  try {
    controls = [...(await askJson("/api/clocks")), OWN];
  } catch (error) {
    say(error.message, true);
  }
  $("clock-preset").replaceChildren(...controls.map((one) => new Option(one.zh, one.id)));
  $("clock-preset").value = kept("clock-preset", "s4");
  choose();
}

// ---------------------------------------------------------------- setting

const FIELDS = ["base", "period", "periods", "increment"];

function choose() {
  const one = controls.find(({ id }) => id === $("clock-preset").value) || OWN;
  keep("clock-preset", one.id);
  const values = one === OWN ? kept("clock-own", { base: 20, period: 30, periods: 3, increment: 0 })
    : { base: one.base / 60, period: one.period, periods: one.periods ?? 0, increment: one.increment };
  for (const name of FIELDS) $(`clock-${name}`).value = values[name];
  $("clock-own").hidden = one !== OWN;
  $("clock-rule").textContent = one.article ? `${one.article.id}：${one.article.zh}。` : "";
  paint();
}

const setting = () => ({
  base: 60 * Number($("clock-base").value), period: Number($("clock-period").value),
  periods: Number($("clock-periods").value) || null, increment: Number($("clock-increment").value),
});

function begin() {
  const values = Object.fromEntries([...FIELDS, "used"].map((name) => [name, Number($(`clock-${name}`).value)]));
  const wrong = Object.entries(values).some(([, n]) => !(n >= 0 && n <= 600))
    || !(values.base * 60 - values.used * 30 > 0 || values.period > 0);
  if (wrong) return say("请填 0 到 600 的数；基本时间和读秒不能都没有。", true);
  control = controls.find(({ id }) => id === $("clock-preset").value) || OWN;
  if (control === OWN) keep("clock-own", values);
  clock = start(fresh(setting(), values.used * 60), time());
  log = [];
  write(`开始：${control.zh}`);
  beep(880, 0.12);
  changed("红方的钟开始走。走完一着按空格键，或点正在走的一边。");
  return $("clock-0").focus();
}

function again() {
  clock = null;
  keep("clock", null);
  show();
  say("请选用时。");
}

// ---------------------------------------------------------------- running

// How the clock stands, in a sentence; "" where there is none.
export function standing() {
  if (!clock) return "";
  if (clock.flag !== null) return fallen(clock.flag);
  return clock.running ? `${SIDES[clock.turn]}方的钟在走。` : "钟停着，请按“继续”。";
}

const rule = () => (control.article ? `（${control.article.id}：${control.article.zh}）` : "");
const fallen = (seat) => `${SIDES[seat]}方时间到：${control.flag}，${SIDES[1 - seat]}方胜${rule()}。请裁判宣布。`;

function hit(seat) {
  if (!clock) return say("请先选用时，按“开始”。", true);
  if (!clock.running) return say(clock.flag === null ? "钟停着，请按“继续”。" : "时间已到；可以给超时的一方加时。", true);
  if (seat !== clock.turn) return say(`${SIDES[clock.turn]}方的钟在走，点${SIDES[clock.turn]}方的一边换边。`, true);
  const news = step(time());
  if (clock.flag !== null) return undefined;
  clock = press(clock, time());
  beep(660, 0.06);
  changed(`${news}轮到${SIDES[clock.turn]}方。`, Boolean(news));
  return $(`clock-${clock.turn}`).focus();
}

// While the clock runs, Space always switches, wherever the focus is: other buttons take Enter.
function space(event) {
  if (event.key !== " " || !shown() || !clock || !clock.running) return;
  if (event.target.closest("input, select, textarea")) return;
  event.preventDefault();
  if (event.type === "keydown" && !event.repeat) hit(clock.turn);
}

function toggle() {
  if (clock.running) {
    const news = step(time());
    if (clock.flag !== null) return undefined;
    clock = pause(clock, time());
    write("暂停");
    return changed(`${news}两边的钟都停了。`, Boolean(news));
  }
  if (clock.flag !== null) return say("时间已到；可以给超时的一方加时。", true);
  clock = start(clock, time());
  write("继续");
  changed(`${SIDES[clock.turn]}方的钟接着走。`);
  return $(`clock-${clock.turn}`).focus();
}

function undo() {
  if (!clock.undo) return say("没有可以换回去的。", true);
  const wrongly = clock.undo;
  clock = unpress(clock, time());
  write("换回去：上一次换边按错了");
  changed(`换回去了，${SIDES[clock.turn]}方的钟在走，时间照算。`);
  announce(signals(wrongly, clock)); // what would have been told had the clock not been switched
  return $(`clock-${clock.turn}`).focus();
}

function penalty(sign) {
  const seat = Number(document.querySelector("input[name=clock-side]:checked").value);
  const seconds = Number($("clock-seconds").value);
  if (!(seconds >= 1 && seconds <= 3600)) return say("请填 1 到 3600 秒。", true);
  const before = settle(clock, time());
  clock = adjust(before, time(), seat, sign * seconds);
  const text = `${SIDES[seat]}方${sign > 0 ? "加" : "减"} ${seconds} 秒`;
  write(text);
  changed(`${text}。`);
  if (clock.flag !== null && before.flag === null) announce([{ kind: "flag", seat: clock.flag }]);
  return undefined;
}

// To a moment; what it brought that the arbiter must not miss, as sentences that have been said.
function step(now) {
  const before = clock;
  clock = settle(clock, now);
  let news = announce(signals(before, clock));
  const moved = skew() - drift;
  if (Math.abs(moved) > 1500) {
    drift += moved;
    const text = `电脑的时间跳了 ${Math.round(moved / 1000)} 秒（睡眠或校时），请裁判核对两边的用时`;
    write(text);
    news += `${text}。`;
    say(news, true);
  }
  paint();
  return news;
}

// Tell of signals; the warnings among them come back as text.
function announce(news) {
  let warning = "";
  for (const { kind, seat, n } of news) {
    const who = `${SIDES[seat]}方`;
    if (kind === "left") say(`${who}还有 ${n} 秒。`);
    if (kind === "count") beep(990, 0.08);
    if (kind === "left" || kind === "periods") beep(740, 0.25);
    if (kind === "periods") say(`${who}基本时间用完，开始读秒，每步 ${clock.setting.period} 秒。`);
    if (kind === "over") {
      beep(440, 0.6);
      write(`${who}超时第 ${n} 次`);
      warning = `${who}超时第 ${n} 次：${control.overrun}${rule()}。`;
      say(warning, true);
      store();
    }
    if (kind === "flag") {
      beep(330, 1.5);
      write(`${who}时间到`);
      warning = fallen(seat);
      say(warning, true);
      store();
      paint();
    }
  }
  return warning;
}

// ---------------------------------------------------------------- showing

function write(text) {
  const clocks = clock.sides.map((side, seat) => `${SIDES[seat]} ${digits(stage(clock, side).ms)}`);
  log = [...log, `${new Date().toLocaleTimeString("zh-CN", { hour12: false })}　${text}（${clocks.join("，")}）`].slice(-60);
}

const store = () => keep("clock", { clock, control, log });

function changed(text, warning = false) {
  store();
  show();
  say(text, warning);
}

function show() {
  $("clock-setup").hidden = Boolean(clock);
  $("clock-run").hidden = !clock;
  if (clock) $("clock-name").textContent = control.zh;
  paint();
}

function paint() {
  for (const seat of [0, 1]) {
    const face = $(`clock-${seat}`), big = $(`clock-big-${seat}`), small = $(`clock-small-${seat}`);
    const on = Boolean(clock) && clock.turn === seat;
    face.classList.toggle("on", on && clock.running);
    face.classList.toggle("fallen", Boolean(clock) && clock.flag === seat);
    if (!clock) {
      const before = fresh(setting(), 60 * Number($("clock-used").value));
      [big.textContent, small.textContent] = [digits(stage(before, before.sides[seat]).ms), "还没有开始"];
      continue;
    }
    const side = clock.sides[seat], { period, periods } = clock.setting, at = stage(clock, side);
    big.textContent = clock.flag === seat ? "时间到" : digits(at.ms);
    const words = [clock.running && on ? "▶ 走着" : on ? "停着，轮到这边" : "等着", `走了 ${side.moves} 着`];
    if (at.period !== null) words.push("读秒");
    if (period && periods !== 1) words.push(`超时 ${side.over} 次`);
    small.textContent = words.join("　");
  }
  if (!clock) return;
  $("clock-pause").textContent = clock.running ? "暂停" : "继续";
  $("clock-pause").disabled = clock.flag !== null;
  $("clock-undo").disabled = !(clock.undo && clock.running);
  const rows = $("clock-log");
  if (rows.childElementCount === log.length && rows.firstChild?.textContent === log.at(-1)) return;
  rows.replaceChildren(...[...log].reverse().map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  }));
}

// ---------------------------------------------------------------- sound

function soundText() {
  const on = kept("clock-sound", true);
  $("clock-sound").textContent = `声音：${on ? "开" : "关"}`;
  $("clock-sound").setAttribute("aria-pressed", String(on));
}

function beep(pitch, seconds) {
  if (!kept("clock-sound", true)) return;
  try {
    sound ??= new AudioContext();
    if (sound.state === "suspended") sound.resume();
    const tone = sound.createOscillator(), level = sound.createGain();
    tone.frequency.value = pitch;
    level.gain.setValueAtTime(0.25, sound.currentTime);
    level.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + seconds);
    tone.connect(level).connect(sound.destination);
    tone.start();
    tone.stop(sound.currentTime + seconds);
  } catch { /* a machine without sound: the text says the same */ }
}
