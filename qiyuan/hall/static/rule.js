// 裁判: a record in, the ruling with its evidence on the board.
import { askJson, base64, keep, kept, Trouble } from "./api.js";
import { BoardView, codesAfter, SIDES } from "./board.js";

const $ = (id) => document.getElementById(id);
let view, ruling, at = 0;
let bytes = null, corrections = {}, overrides = [];

export async function startRule() {
  view = new BoardView($("rule-board"), { onPoint: () => {} });
  view.draw({ codes: new Array(90).fill(0) });
  $("rule-open").addEventListener("click", () => $("rule-file").click());
  $("rule-file").addEventListener("change", open);
  $("rule-example").addEventListener("click", example);
  $("rule-text").addEventListener("input", () => { bytes = null; forget(); $("rule-name").textContent = ""; $("rule-games-line").hidden = true; });
  $("rule-fen").addEventListener("input", forget);
  $("rule-games").addEventListener("change", forget);
  $("rule-book").addEventListener("change", () => { keep("book", $("rule-book").value); if (ruling) rule(); });
  $("rule-go").addEventListener("click", rule);
  $("rule-enter").addEventListener("click", () => {
    document.dispatchEvent(new CustomEvent("enter", { detail: $("rule-fen").value.trim() }));
    location.hash = "#/play";
  });
  $("rule-first").addEventListener("click", () => go(0));
  $("rule-back").addEventListener("click", () => go(at - 1));
  $("rule-on").addEventListener("click", () => go(at + 1));
  $("rule-last").addEventListener("click", () => go(Infinity));
  $("change-go").addEventListener("click", override);
  $("change-correct").addEventListener("click", correct);
  document.addEventListener("rule", (event) => {
    paste(event.detail);
    rule();
  });
  $("rule-text").value = kept("rule-text", "");
  stepping();
  try {
    for (const book of await askJson("/api/rules")) $("rule-book").append(new Option(book.zh, book.id));
    $("rule-book").value = kept("book", "club2008");
  } catch (error) {
    say(error.message, true);
  }
}

function say(text, wrong = false) {
  $("rule-say").textContent = text;
  $("rule-say").classList.toggle("wrong", wrong);
}

function forget() {
  [corrections, overrides] = [{}, []];
  keep("rule-text", $("rule-text").value);
}

function paste(text) {
  $("rule-text").value = text;
  $("rule-fen").value = "";
  $("rule-name").textContent = "";
  $("rule-games-line").hidden = true;
  bytes = null;
  forget();
}

async function load(data, name) {
  const games = await askJson("/api/records", { method: "POST", body: data, raw: true });
  paste("");
  bytes = data;
  $("rule-name").textContent = `已打开：${name}`;
  $("rule-games").replaceChildren(
    ...games.map((game, i) => new Option(`${i + 1}　${game.title}（${game.plies} 着）`, i)));
  $("rule-games-line").hidden = games.length < 2;
}

async function open() {
  const [file] = $("rule-file").files;
  if (!file) return;
  try {
    if (file.size > 128 << 10) throw new Trouble("文件超过 128 KB；整个档案请用命令 qiyuan judge --out");
    await load(new Uint8Array(await file.arrayBuffer()), file.name);
    await rule();
  } catch (error) {
    say(error.message, true);
  } finally {
    $("rule-file").value = "";
  }
}

async function example() {
  try {
    const { text } = await askJson("/api/example");
    paste(text);
    await rule();
  } catch (error) {
    say(error.message, true);
  }
}

// ---------------------------------------------------------------- the ruling

async function rule() {
  const data = bytes || new TextEncoder().encode($("rule-text").value);
  if (!data.length) return say("请先打开或输入棋谱。", true);
  say("正在裁定…");
  try {
    ruling = await askJson("/api/rulings", {
      method: "POST",
      body: {
        record: base64(data),
        number: $("rule-games-line").hidden ? 0 : Number($("rule-games").value),
        rules: $("rule-book").value || "club2008",
        fen: $("rule-fen").value,
        corrections,
        overrides: overrides.map((one) => one.text),
      },
    });
  } catch (error) {
    return say(error.message, true);
  }
  say(`裁定：${ruling.verdict}。`);
  $("ruling").hidden = false;
  $("ruling-head").textContent = ruling.headline;
  list("ruling-notes", [
    ...ruling.readings,
    ...ruling.defects.map((text) => `棋谱有错：${text}`),
    ...ruling.others.map((text) => `此前：${text}`),
  ]);
  $("ruling-print").href = `/rulings/${ruling.document}.html`;
  $("ruling-pdf").href = `/rulings/${ruling.document}.pdf`;
  plies();
  changes();
  return go(ruling.ply);
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

function plies() {
  $("ruling-plies").replaceChildren(
    ...ruling.moves.map((move, i) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      const found = ruling.evidence[i + 1];
      button.type = "button";
      button.textContent = `${i + 1}. ${SIDES[move.side]} ${move.zh}${found ? `　${found.zh}` : ""}`;
      button.addEventListener("click", () => go(i + 1));
      item.append(button);
      return item;
    }),
  );
}

function stepping() {
  const most = ruling ? ruling.moves.length : 0;
  $("rule-first").disabled = $("rule-back").disabled = at === 0;
  $("rule-on").disabled = $("rule-last").disabled = at >= most;
}

function go(ply) {
  if (!ruling) return;
  at = Math.max(0, Math.min(ply, ruling.moves.length));
  const move = ruling.moves[at - 1], found = ruling.evidence[at];
  view.draw({
    codes: codesAfter(ruling.start.codes, ruling.moves.slice(0, at)),
    last: move ? [move.from, move.to] : null,
    arrows: found ? found.arrows : [],
    marks: found ? found.marks : [],
  });
  $("rule-ply").textContent = move
    ? `第 ${at} 着，${SIDES[move.side]}方 ${move.zh}${found ? `：${found.zh}` : ""}`
    : "开始局面";
  list("rule-evidence", found ? found.sentences : []);
  const buttons = $("ruling-plies").querySelectorAll("button");
  buttons.forEach((button, i) => button.setAttribute("aria-current", String(i + 1 === at)));
  const now = buttons[at - 1];
  if (now) $("ruling-plies").scrollTop = now.offsetTop - $("ruling-plies").offsetTop - 120;
  $("change").hidden = !move;
  if (move) $("change-title").textContent = `第 ${at} 着 ${move.zh}：裁判改动`;
  stepping();
}

// ---------------------------------------------------------------- what the arbiter changes

async function override() {
  const reason = $("change-reason").value.trim();
  if (!reason) return say("改定性质要写明理由。", true);
  const nature = $("change-nature").value;
  const old = overrides;
  overrides = [...overrides.filter((one) => one.ply !== at), { ply: at, text: `${at}=${nature}:${reason}` }];
  if (!(await again())) overrides = old;
  else $("change-reason").value = "";
}

async function correct() {
  const text = $("change-move").value.trim();
  if (!text) return say("请写出正确的着法。", true);
  const old = corrections;
  corrections = { ...corrections, [at]: text };
  if (!(await again())) corrections = old;
  else $("change-move").value = "";
}

async function again() {
  const ply = at, before = ruling;
  await rule();
  if (ruling === before) return false;
  go(ply);
  return true;
}

function changes() {
  const rows = [
    ...Object.entries(corrections).map(([ply, text]) => ({
      text: `第 ${ply} 着更正为 ${text}`,
      undo: () => { delete corrections[ply]; },
    })),
    ...overrides.map((one) => ({
      text: `改定 ${one.text}`,
      undo: () => { overrides = overrides.filter((other) => other !== one); },
    })),
  ];
  $("changes").hidden = !rows.length;
  $("changes-list").replaceChildren(
    ...rows.map(({ text, undo }) => {
      const item = document.createElement("li");
      item.className = "shelf-row";
      const words = document.createElement("span");
      words.textContent = text;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "撤销";
      button.setAttribute("aria-label", `撤销：${text}`);
      button.addEventListener("click", () => { undo(); rule(); });
      item.append(words, button);
      return item;
    }),
  );
}
