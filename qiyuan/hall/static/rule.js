// 裁判: a record in, the ruling with its evidence on the board; positions set up, loops entered, the clock.
import { askJson, base64, keep, kept, Trouble } from "./api.js";
import { BoardView, codesAfter, colorOf, inWords, pieceName, SIDES, squareLabel, squareName } from "./board.js";
import { standing, startClock } from "./clockface.js";
import { Editor } from "./editor.js";
import { Picker } from "./picker.js";
import { Walk } from "./walk.js";

const $ = (id) => document.getElementById(id);
const JOBS = ["cite", "set", "walk", "clock"];
const HINTS = {
  cite: "打开棋谱，或者输入着法。没有棋谱就摆棋、走子。",
  set: "在棋子盒里选一种棋子，再点棋盘上的空点。",
  walk: "请点要走的子，再点目标。",
  clock: "选好用时，按“开始”。",
};
let view, editor, walk, picker, job, ruling, at = 0, mending = false;
let bytes = null, books = [], made, told = [HINTS.cite]; // what the arbiter made; what is said of the case
let record = {}, before = Promise.resolve(); // what is ruled on now; rulings are made one after the other

// A job's way to the board and to the line of words that all share: it is shut while another job is
// open, for answers may come late.
const desk = (name) => ({
  view: { draw: (state) => job === name && view.draw(state) },
  flip: () => view.flip(!view.flipped),
  say: (text, wrong) => job === name && say(text, wrong),
});
const cite = desk("cite");

export async function startRule() {
  view = new BoardView($("rule-board"), { onPoint: point, onCancel: cancel });
  editor = new Editor({ ...desk("set"), walk: (fen) => open("walk", fen, []) });
  walk = new Walk({ ...desk("walk"), rule: judge, edit: (fen) => open("set", fen) });
  picker = new Picker(cite.view, cite.say, mend);
  for (const name of JOBS) $(`job-${name}`).addEventListener("click", () => open(name));
  $("rule-board").addEventListener("keydown", (event) => {
    if (job === "set" && ["Delete", "Backspace"].includes(event.key)) editor.take(view.at);
  });
  $("rule-open").addEventListener("click", () => $("rule-file").click());
  $("rule-file").addEventListener("change", load);
  $("rule-example").addEventListener("click", example);
  $("rule-text").addEventListener("input", () => { bytes = null; forget(); $("rule-name").textContent = ""; $("rule-games-line").hidden = true; });
  $("rule-fen").addEventListener("input", forget);
  $("rule-games").addEventListener("change", forget);
  $("rule-book").addEventListener("change", book);
  $("change-nature").addEventListener("change", victims);
  $("rule-go").addEventListener("click", () => rule());
  $("rule-again").addEventListener("click", () => { put(true); $("rule-open").focus(); });
  $("rule-enter").addEventListener("click", () => open("walk", $("rule-fen").value.trim(), []));
  $("ruling-walk").addEventListener("click", () => open("walk", ruling.start.fen, ruling.moves.map(iccs)));
  $("rule-first").addEventListener("click", () => go(0));
  $("rule-back").addEventListener("click", () => go(at - 1));
  $("rule-on").addEventListener("click", () => go(at + 1));
  $("rule-last").addEventListener("click", () => go(Infinity));
  $("change-go").addEventListener("click", override);
  $("change-correct").addEventListener("click", () => correct($("change-move").value.trim()));
  $("change-click").addEventListener("click", pick);
  document.addEventListener("rule", (event) => judge("", event.detail));
  $("rule-text").value = kept("rule-text", "");
  forget();
  open("cite");
  startClock({ tell: say, visible: () => job === "clock" && !$("rule").hidden });
  try {
    books = await askJson("/api/rules");
    for (const book of books) $("rule-book").append(new Option(book.zh, book.id));
    $("rule-book").value = kept("book", "club2008");
    grounds();
  } catch (error) {
    tell(error.message, true);
  }
}

// ---------------------------------------------------------------- the four jobs

// Turn to a job; what is handed over goes to its panel.
function open(name, ...given) {
  job = name;
  mending = false;
  say(...(name === "cite" ? told : [(name === "clock" && standing()) || HINTS[name]]));
  for (const one of JOBS) {
    $(one).hidden = one !== name;
    $(`job-${one}`).setAttribute("aria-pressed", String(one === name));
  }
  $("rule-desk").hidden = name === "clock";
  $("clock-faces").hidden = name !== "clock";
  $("rule-steps").hidden = name !== "cite";
  $("rule").classList.toggle("bare", name === "cite" && !ruling);
  if (name === "cite") draw();
  if (name === "set") editor.open(...given);
  if (name === "walk") walk.open(...given);
}

function point(sq) {
  if (job === "set") return editor.point(sq);
  if (job === "walk") return walk.point(sq);
  if (mending) return picker.point(sq);
  return ruling || open("walk"); // nothing is ruled on yet: the board is there to enter moves
}

function cancel() {
  if (job === "set") editor.cancel();
  if (job === "walk") walk.cancel();
  if (mending) picker.drop();
}

function say(text, wrong = false) {
  $("rule-say").textContent = text;
  $("rule-say").classList.toggle("wrong", wrong);
}

// Of the case: said as long as nothing else is said of it, also to whoever comes back from another job.
function tell(...words) {
  told = words;
  cite.say(...words);
}

// ---------------------------------------------------------------- the record

function forget() {
  [record, made] = [{}, { corrections: {}, overrides: [], claims: [] }];
  keep("rule-text", $("rule-text").value);
}

function paste(text, fen = "") {
  $("rule-text").value = text;
  $("rule-fen").value = fen;
  $("rule-name").textContent = "";
  $("rule-games-line").hidden = true;
  bytes = null;
  forget();
}

// Rule on moves that come from elsewhere: the board, or a game of 对弈.
function judge(fen, text) {
  open("cite");
  paste(text, fen);
  return rule();
}

// The record's part of the panel, folded away while a ruling is read.
function put(unfolded) {
  $("case").hidden = $("rule-go").hidden = !unfolded;
  $("rule-again").hidden = unfolded;
}

async function load() {
  const [file] = $("rule-file").files;
  if (!file) return;
  try {
    if (file.size > 128 << 10) throw new Trouble("文件超过 128 KB；整个档案请用命令 qiyuan judge --out");
    const data = new Uint8Array(await file.arrayBuffer());
    const games = await askJson("/api/records", { method: "POST", body: data, raw: true });
    paste("");
    bytes = data;
    $("rule-name").textContent = `已打开：${file.name}`;
    $("rule-games").replaceChildren(
      ...games.map((game, i) => new Option(`${i + 1}　${game.title}（${game.plies} 着）`, i)));
    $("rule-games-line").hidden = games.length < 2;
    await rule();
  } catch (error) {
    tell(error.message, true);
  } finally {
    $("rule-file").value = "";
  }
}

// Another rule book: what is ruled on is ruled on anew, or stays under the old one.
async function book() {
  if ($("case").hidden && !(await rule(undefined, at))) $("rule-book").value = ruling.ruling.rules.id;
  keep("book", $("rule-book").value);
  grounds();
}

async function example() {
  try {
    const { text } = await askJson("/api/example");
    paste(text);
    await rule();
  } catch (error) {
    tell(error.message, true);
  }
}

// ---------------------------------------------------------------- the ruling

// Rule on the record. `edit` tells what the arbiter changes of what he made; a change that cannot be
// is not made. `ply`: the one that is looked at, and stays so. Tells whether there is a new ruling.
function rule(edit = () => ({}), ply = null) {
  const of = record, ruled = before.then(() => (ply === null || of === record) && hear(edit, ply));
  before = ruled.catch(() => {});
  return ruled;
}

async function hear(edit, ply) {
  const data = bytes || new TextEncoder().encode($("rule-text").value);
  if (!data.length) return tell("请先打开或输入棋谱，或者在棋盘上走出来。", true);
  const old = made, mine = made = { ...old, ...edit(old) };
  tell("正在裁定…");
  try {
    ruling = await askJson("/api/rulings", {
      method: "POST",
      body: {
        record: base64(data),
        number: $("rule-games-line").hidden ? 0 : Number($("rule-games").value),
        rules: $("rule-book").value || "club2008",
        fen: $("rule-fen").value,
        corrections: mine.corrections,
        overrides: mine.overrides.map((one) => one.text),
        claims: mine.claims.map((one) => one.text),
      },
    });
  } catch (error) {
    if (made === mine) made = old;
    tell(error.message, true);
    return false;
  }
  tell(`裁定：${ruling.verdict}。`);
  put(false);
  $("rule").classList.remove("bare");
  $("ruling").hidden = false;
  $("ruling-head").textContent = ruling.headline;
  list("ruling-notes", [
    ...ruling.articles.map((text) => `依据 ${text}`),
    ...ruling.readings.map(inWords),
    ...ruling.defects.map((text) => `棋谱有错：${text}`),
    ...ruling.others.map((text) => `此前：${text}`),
  ]);
  $("ruling-print").href = `/rulings/${ruling.document}.html`;
  $("ruling-pdf").href = `/rulings/${ruling.document}.pdf`;
  $("ruling-pdf").onclick = () => say("正在做 PDF，做好就存到下载文件夹，要等几秒钟。");
  plies();
  changes();
  answers();
  go(ply ?? (ruling.stop === null ? ruling.ply : Infinity));
  return true;
}

function list(id, texts) {
  $(id).replaceChildren(
    ...texts.map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }),
  );
}

const most = () => (ruling ? ruling.moves.length + (ruling.stop === null ? 0 : 1) : 0);
const iccs = (move) => squareName(move.from) + squareName(move.to);

function plies() {
  const texts = ruling.moves.map((move, i) => {
    const found = ruling.evidence[i + 1];
    return `${i + 1}. ${SIDES[move.side]} ${move.zh}${found ? `　${found.zh}` : ""}`;
  });
  if (most() > texts.length) texts.push(`${most()}. ${ruling.stop}　走不通`);
  $("ruling-plies").replaceChildren(
    ...texts.map((text, i) => {
      const item = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.addEventListener("click", () => go(i + 1));
      item.append(button);
      return item;
    }),
  );
}

function go(ply) {
  if (!ruling) return;
  at = Math.max(0, Math.min(ply, most()));
  mending = false;
  draw();
}

// The board at the ply that is looked at.
const stand = () => codesAfter(ruling.start.codes, ruling.moves.slice(0, at));

function draw() {
  $("rule-first").disabled = $("rule-back").disabled = at === 0;
  $("rule-on").disabled = $("rule-last").disabled = at >= most();
  if (!ruling) return cite.view.draw({ codes: new Array(90).fill(0) });
  const move = ruling.moves[at - 1], found = ruling.evidence[at], stopped = at > ruling.moves.length;
  cite.view.draw({
    codes: stand(),
    last: move ? [move.from, move.to] : null,
    check: move ? move.check : null,
    arrows: found ? found.arrows : [],
    marks: found ? found.marks : [],
  });
  $("rule-ply").textContent = stopped ? `第 ${at} 着 ${ruling.stop}：走不通，请更正`
    : move ? `第 ${at} 着，${SIDES[move.side]}方 ${move.zh}${found ? `：${found.zh}` : ""}` : "开始局面";
  list("rule-evidence", found ? found.sentences.map(inWords) : []);
  const buttons = $("ruling-plies").querySelectorAll("button");
  buttons.forEach((button, i) => button.setAttribute("aria-current", String(i + 1 === at)));
  const now = buttons[at - 1];
  if (now) $("ruling-plies").scrollTop = now.offsetTop - $("ruling-plies").offsetTop - 120;
  $("change").hidden = at === 0;
  $("change-override").hidden = stopped;
  victims();
  $("change-title").textContent = `第 ${at} 着 ${move ? move.zh : ruling.stop}：裁判改动`;
  $("claim-title").textContent = `在第 ${Math.min(at, ruling.moves.length)} 着走完时，一方提出`;
  return undefined;
}

// ---------------------------------------------------------------- what the arbiter changes

async function override() {
  const reason = $("change-reason").value.trim();
  if (!reason) return say("改定性质要写明理由。", true);
  const nature = $("change-nature").value;
  const victim = nature.includes("捉") && $("change-victim").value;
  const ply = at, text = `${ply}=${nature}${victim ? `@${victim}` : ""}:${reason}`;
  const put = ({ overrides }) => ({ overrides: [...overrides.filter((one) => one.ply !== ply), { ply, text }] });
  if (await rule(put, ply)) $("change-reason").value = "";
}

// Which piece is chased: the Asian rules ask for it.
function victims() {
  const move = ruling.moves[at - 1];
  $("change-victim-line").hidden = !move || !$("change-nature").value.includes("捉");
  if (!move) return;
  const prey = stand().flatMap((code, sq) => (code && colorOf(code) !== move.side
    ? [new Option(`${pieceName(code)}，${squareLabel(sq)}（${squareName(sq)}）`, squareName(sq))] : []));
  $("change-victim").replaceChildren(new Option("程序判出的子", ""), ...prey);
}

async function correct(text) {
  if (!text) return say("请写出正确的着法，或者在棋盘上点出来。", true);
  const ply = at;
  if (await rule(({ corrections }) => ({ corrections: { ...corrections, [ply]: text } }), ply))
    $("change-move").value = "";
}

// The board before the ply, for the right move to be clicked.
async function pick() {
  const ply = at, of = ruling, moves = of.moves.slice(0, at - 1), last = moves.at(-1);
  try {
    const position = await askJson("/api/positions", {
      method: "POST", body: { fen: of.start.fen, moves: moves.map(iccs) },
    });
    if (job !== "cite" || ply !== at || of !== ruling) return; // something else is looked at by now
    mending = true;
    picker.show(position, last ? [last.from, last.to] : null);
    say(`请在棋盘上点出第 ${ply} 着正确的走法：先点${SIDES[position.turn]}子，再点目标。`);
  } catch (error) {
    cite.say(error.message, true);
  }
}

async function mend(text) {
  if (!(picker.position.legal[picker.chosen] || []).some((sq) => text.endsWith(squareName(sq))))
    return say("这个子不能这样走，请点有圆点的地方。", true);
  return correct(text);
}

function changes() {
  const rows = [
    ...Object.entries(made.corrections).map(([ply, text]) => ({
      text: `第 ${ply} 着更正为 ${text}`,
      undo: ({ corrections: { [ply]: _, ...corrections } }) => ({ corrections }),
    })),
    ...made.overrides.map((one) => ({
      text: `改定 ${one.text}`,
      undo: ({ overrides }) => ({ overrides: overrides.filter((other) => other !== one) }),
    })),
  ];
  $("changes").hidden = !rows.length;
  withdrawable("changes-list", rows);
}

// Sentences that can be taken back, each by a button; the ruling is then made anew.
function withdrawable(id, rows) {
  $(id).replaceChildren(
    ...rows.map(({ text, undo }) => {
      const item = document.createElement("li");
      item.className = "shelf-row";
      const words = document.createElement("span");
      words.textContent = text;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "撤销";
      button.setAttribute("aria-label", `撤销：${text}`);
      button.addEventListener("click", () => rule(undo));
      item.append(words, button);
      return item;
    }),
  );
}

// ---------------------------------------------------------------- what the players claim

// What may be claimed under the chosen rule book, each with what it means.
function grounds() {
  const book = books.find(({ id }) => id === $("rule-book").value);
  $("claim-grounds").replaceChildren(
    ...(book ? book.claims : []).map(({ what, zh, meaning }) => {
      const item = document.createElement("li");
      const button = document.createElement("button"), words = document.createElement("span");
      button.type = "button";
      button.textContent = zh;
      button.addEventListener("click", () => claim(what));
      words.id = `claim-${what}`;
      words.textContent = meaning;
      button.setAttribute("aria-describedby", words.id);
      item.append(button, words);
      return item;
    }),
  );
}

async function claim(what) {
  const side = Number(document.querySelector("input[name=claim-side]:checked").value);
  const text = `${SIDES[side]}@${Math.min(at, ruling.moves.length)}=${what}`;
  const put = ({ claims }) => ({ claims: [...claims.filter((one) => one.text !== text), { text }] });
  if (await rule(put, at)) tell(ruling.answers.at(-1));
}

function answers() {
  withdrawable("claim-answers", made.claims.map((one, i) => ({
    text: ruling.answers[i],
    undo: ({ claims }) => ({ claims: claims.filter((other) => other !== one) }),
  })));
}
