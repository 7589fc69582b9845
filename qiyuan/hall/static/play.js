// 对弈: one game on the board, with the computer or between two people.
import { ask, askJson, Channel, keep, kept, Trouble } from "./api.js";
import { BoardView, codesAfter, colorOf, pieceName, pieceSample, SIDES, squareName } from "./board.js";

const $ = (id) => document.getElementById(id);
const KING = [1, 9];
let view, channel, state, startCodes;
let chosen = null, hint = null, at = null, thinking = false;

export function startPlay() {
  view = new BoardView($("play-board"), { onPoint: point, onCancel: drop });
  $("start-computer").addEventListener("click", () => begin("computer"));
  $("start-two").addEventListener("click", () => begin("two"));
  $("start-open").addEventListener("click", () => $("file").click());
  $("start-return").addEventListener("click", () => panel("game"));
  $("file").addEventListener("change", openFile);
  $("back").addEventListener("click", () => send({ do: "back" }));
  $("hint").addEventListener("click", showHint);
  $("new").addEventListener("click", newGame);
  $("more").addEventListener("click", () => more($("more-panel").hidden));
  $("flip").addEventListener("click", () => view.flip(!view.flipped));
  $("save").addEventListener("click", saveFile);
  $("confirm").addEventListener("click", () => toggle("confirm", "走子确认"));
  $("speech").addEventListener("click", () => toggle("speech", "读棋"));
  $("review").addEventListener("click", review);
  $("to-rule").addEventListener("click", toRule);
  $("draw").addEventListener("click", () => send({ do: "offer" }));
  $("resign").addEventListener("click", resign);
  $("step-first").addEventListener("click", () => go(0));
  $("step-back").addEventListener("click", () => go((at ?? state.moves.length) - 1));
  $("step-on").addEventListener("click", () => go((at ?? state.moves.length) + 1));
  $("step-last").addEventListener("click", () => go(null));
  document.addEventListener("enter", (event) => begin("two", { start: event.detail }));
  toggleText("confirm", "走子确认");
  toggleText("speech", "读棋");
  for (const name of ["human"]) {
    const found = document.querySelector(`input[name=${name}][value="${kept(name, 0)}"]`);
    if (found) found.checked = true;
  }
  const current = kept("games", [])[0];
  if (current) resume(current);
  else panel("start");
  empty();
}

// ---------------------------------------------------------------- which panel is shown

function panel(name) {
  $("start").hidden = name !== "start";
  $("game").hidden = $("turn").hidden = name !== "game";
  $("start-return").hidden = !state;
  if (name === "start") shelf();
  steps();
}

function empty() {
  if (state) return;
  const back = [5, 4, 3, 2, 1, 2, 3, 4, 5];
  const codes = new Array(90).fill(0);
  back.forEach((piece, file) => {
    codes[file] = piece;
    codes[81 + file] = piece + 8;
  });
  for (const file of [1, 7]) [codes[18 + file], codes[63 + file]] = [6, 14];
  for (const file of [0, 2, 4, 6, 8]) [codes[27 + file], codes[54 + file]] = [7, 15];
  view.draw({ codes });
}

function say(text, wrong = false) {
  $("say").textContent = text;
  $("say").classList.toggle("wrong", wrong);
}

function more(open) {
  $("more-panel").hidden = !open;
  $("more").setAttribute("aria-expanded", String(open));
}

function toggle(key, word) {
  keep(key, !kept(key, false));
  toggleText(key, word);
}

function toggleText(key, word) {
  const on = kept(key, false);
  $(key).textContent = `${word}：${on ? "开" : "关"}`;
  $(key).setAttribute("aria-pressed", String(on));
}

function question(text, yes, no, act, refuse = () => {}) {
  $("ask").hidden = false;
  $("ask-text").textContent = text;
  $("ask-yes").textContent = yes;
  $("ask-no").textContent = no;
  $("ask-yes").onclick = () => { hideQuestion(); act(); };
  $("ask-no").onclick = () => { hideQuestion(); refuse(); };
  $("ask").focus(); // not a button: a stray Enter must not answer
}

function hideQuestion() {
  $("ask").hidden = true;
}

// ---------------------------------------------------------------- games

async function begin(mode, extra = {}) {
  const human = Number(document.querySelector("input[name=human]:checked").value);
  const level = Number($("level").value || 2);
  keep("human", human);
  keep("level", level);
  const body = { game: "xiangqi", mode, human: mode === "two" ? 0 : human, level, ...extra };
  for (const button of ["start-computer", "start-two"]) $(button).disabled = true;
  try {
    const made = await askJson("/api/games", { method: "POST", body });
    resume({ ...made, title: title(body), when: Date.now() });
  } catch (error) {
    say(error.message, true);
  } finally {
    for (const button of ["start-computer", "start-two"]) $(button).disabled = false;
  }
}

function title({ mode, level, human }) {
  if (mode === "two") return "两人对下";
  const name = [...$("level").options].find((option) => Number(option.value) === level);
  return `和电脑下（${name ? name.text.replace(/^\d+\s*/u, "") : level}），您执${SIDES[human]}`;
}

function resume(game) {
  const others = kept("games", []).filter((one) => one.id !== game.id);
  keep("games", [game, ...others].slice(0, 200));
  if (channel) channel.close();
  state = startCodes = undefined;
  [chosen, hint, at, thinking] = [null, null, null, false];
  hideQuestion();
  more(false);
  $("remarks").hidden = true;
  say("");
  panel("game");
  channel = new Channel(game, receive, (open) => {
    if (!open) say("连接断开了，正在重新连接。下过的棋都已存好。", true);
  });
}

function shelf() {
  const games = kept("games", []);
  $("shelf").hidden = !games.length;
  $("shelf-list").replaceChildren(
    ...games.map((game) => {
      const row = document.createElement("li");
      row.className = "shelf-row";
      const when = new Date(game.when || 0).toLocaleString("zh-CN", { dateStyle: "short", timeStyle: "short" });
      const go = document.createElement("button");
      go.type = "button";
      go.textContent = `${game.title}　${when}`;
      go.addEventListener("click", () => resume(game));
      const away = document.createElement("button");
      away.type = "button";
      away.textContent = "删去";
      away.setAttribute("aria-label", `删去：${go.textContent}`);
      away.addEventListener("click", () => remove(game, away));
      row.append(go, away);
      return row;
    }),
  );
}

async function remove(game, button) {
  if (button.textContent === "删去") {
    button.textContent = "真的删去";
    return;
  }
  await ask(`/api/games/${game.id}`, { method: "DELETE", token: game.token }).catch(() => {});
  keep("games", kept("games", []).filter((one) => one.id !== game.id));
  if (state && state.id === game.id) {
    channel.close();
    state = undefined;
    empty();
  }
  panel("start");
}

const current = () => kept("games", [])[0];

function newGame() {
  say("");
  panel("start");
  $("start-computer").focus();
}

// ---------------------------------------------------------------- what the server tells

function receive(message) {
  if (message.type === "state") return arrive(message.state);
  if (message.type === "refused") {
    keep("games", kept("games", []).filter((one) => one.id !== channel.game.id));
    state = undefined;
    panel("start");
    return empty();
  }
  if (message.type === "error" && message.n === undefined) say(message.text, true);
  return undefined;
}

function arrive(next) {
  const before = state;
  state = next;
  if (!startCodes || !before || before.id !== next.id) {
    startCodes = undefined;
    view.flip(next.mode === "computer" && next.human === 1);
  }
  startCodes ??= codesBefore(next);
  if (!before || before.version !== next.version || before.id !== next.id) {
    [chosen, hint, at] = [null, null, null];
    if ($("ask").dataset.version !== String(next.version)) hideQuestion();
    announce(before, next);
  }
  offered();
  draw();
}

// The start position, by walking back: each move carries what it took.
function codesBefore(next) {
  const codes = next.position.codes.slice();
  for (const move of [...next.moves].reverse()) {
    codes[move.from] = codes[move.to];
    codes[move.to] = move.taken || 0;
  }
  return codes;
}

function announce(before, next) {
  const count = next.moves.length, old = before && before.id === next.id ? before.moves.length : 0;
  const last = next.moves[count - 1];
  let text = "";
  if (before && count < old) text = "已经悔棋。";
  else if (last) {
    const side = SIDES[colorOf(next.position.codes[last.to])];
    text = `${side}方：${last.zh}。`;
  } else text = "开局，请走棋。";
  if (next.position.check !== null && !next.result) text += "将军！";
  if (next.notice) text += next.notice;
  if (next.result) text = `${text} ${next.result.text}${next.result.ruling || ""}`;
  say(text);
  if (before && count > old) speak(text);
}

function offered() {
  if (state.offer === null || state.result) return;
  if (!$("ask").hidden && $("ask").dataset.version === String(state.version)) return;
  $("ask").dataset.version = String(state.version);
  const other = SIDES[1 - state.offer];
  question(`${SIDES[state.offer]}方提出和棋。${other}方同意吗？`, "同意和棋", "不同意",
    () => send({ do: "accept" }), () => send({ do: "refuse" }));
}

function speak(text) {
  if (!kept("speech", false) || !window.speechSynthesis) return;
  const voice = speechSynthesis.getVoices().find((one) => one.lang.startsWith("zh"));
  if (!voice) return say(`${text}（这台机器没有中文语音）`);
  speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.voice = voice;
  words.rate = 0.9;
  speechSynthesis.speak(words);
}

// ---------------------------------------------------------------- drawing

function shownCodes() {
  return at === null ? state.position.codes : codesAfter(startCodes, state.moves.slice(0, at));
}

function draw() {
  const live = at === null;
  const last = live ? state.moves[state.moves.length - 1] : state.moves[at - 1];
  view.draw({
    codes: shownCodes(),
    last: last ? [last.from, last.to] : null,
    check: live ? state.position.check : null,
    chosen: live ? chosen : null,
    targets: live && chosen !== null ? state.position.legal[chosen] || [] : [],
    arrows: live && hint ? [[hint.from, hint.to]] : [],
  });
  turn();
  moves();
  steps();
  for (const [id, off] of [["back", !state.moves.length], ["hint", !mine()],
    ["draw", !mine()], ["resign", Boolean(state.result)], ["review", !state.moves.length]])
    $(id).disabled = off;
}

const mine = () => !state.result && !state.thinking;

function turn() {
  const words = document.createElement("span");
  if (at !== null) words.textContent = `正在看第 ${at} 着以后的局面`;
  else if (state.result) words.textContent = state.result.text;
  else if (state.thinking) words.textContent = `轮到${SIDES[state.turn]}方：电脑正在想`;
  else {
    const who = state.mode === "computer" ? "（您）" : "";
    words.textContent = `轮到${SIDES[state.turn]}方${who}走`;
  }
  $("turn").replaceChildren(pieceSample(KING[state.turn]), words);
}

function moves() {
  const rows = [];
  const first = state.moves.length ? colorOf(codesAtMove(0)) : 0;
  const cells = first === 1 ? [null, ...state.moves] : state.moves;
  for (let i = 0; i < cells.length; i += 2) {
    const row = document.createElement("li");
    const number = document.createElement("span");
    number.textContent = `${i / 2 + 1}.`;
    row.append(number, ...[0, 1].map((half) => moveCell(cells, i + half, first)));
    rows.push(row);
  }
  $("moves").replaceChildren(...rows);
  const now = $("moves").querySelector("[aria-current=true]");
  if (now) $("moves").scrollTop = now.offsetTop - $("moves").offsetTop - 120;
}

const codesAtMove = (index) => startCodes[state.moves[index].from];

function moveCell(cells, index, first) {
  const move = cells[index];
  if (!move) return document.createElement("span");
  const ply = index + 1 - first;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = move.zh;
  const now = at === null ? state.moves.length : at;
  if (ply === now) button.setAttribute("aria-current", "true");
  button.addEventListener("click", () => go(ply));
  return button;
}

function steps() {
  const none = !state || !state.moves.length || !$("start").hidden;
  const now = state ? at ?? state.moves.length : 0;
  $("step-first").disabled = $("step-back").disabled = none || now === 0;
  $("step-on").disabled = $("step-last").disabled = none || at === null;
}

function go(ply) {
  if (!state) return;
  at = ply === null || ply >= state.moves.length ? null : Math.max(0, ply);
  chosen = null;
  draw();
  const move = state.moves[(at ?? state.moves.length) - 1];
  say(at === null ? "回到现在的局面。" : move ? `第 ${at} 着：${move.zh}` : "开局。");
}

// ---------------------------------------------------------------- moving

function drop() {
  chosen = null;
  if (state) draw();
}

function point(sq) {
  if (!state || !$("start").hidden) return say("请先开一局棋。");
  if (at !== null) return go(null);
  if (state.result) return say(`${state.result.text}可以悔棋，或者开新局。`);
  if (state.thinking) return say("电脑正在想，请稍等。");
  hint = null;
  const code = state.position.codes[sq];
  if (chosen === sq) return drop();
  if (code && colorOf(code) === state.turn) {
    chosen = sq;
    draw();
    const count = (state.position.legal[sq] || []).length;
    return say(count ? `选了${pieceName(code)}，有 ${count} 个地方可走。`
      : `${pieceName(code)}现在没有可走的地方。`, !count);
  }
  if (chosen === null)
    return say(code ? `现在轮到${SIDES[state.turn]}方走。` : `请先点要走的${SIDES[state.turn]}子。`, true);
  return move(chosen, sq);
}

function move(from, to) {
  const action = { do: "move", move: squareName(from) + squareName(to) };
  const legal = (state.position.legal[from] || []).includes(to);
  if (!legal || !kept("confirm", false)) return send(action);
  const name = pieceName(state.position.codes[from]);
  const prey = state.position.codes[to];
  $("ask").dataset.version = String(state.version);
  view.draw({ ...view.state, arrows: [[from, to]] });
  return question(`${name}${prey ? `吃${pieceName(prey)}` : "走到箭头所指的地方"}，对吗？`,
    "走", "不走", () => send(action), drop);
}

async function send(action) {
  hint = null;
  const answer = await channel.send(action);
  if (answer.type === "error") {
    say(answer.text, true);
    if (answer.marks && state && at === null) view.draw({ ...view.state, marks: answer.marks });
  }
  if (answer.type === "say") say(answer.text);
  if (answer.type === "lost") say("连接断开了，请看这一步走上没有。", true);
  return answer;
}

async function showHint() {
  if (thinking) return;
  thinking = true;
  say("正在想…");
  const answer = await channel.send({ do: "hint" });
  thinking = false;
  if (answer.type === "error") return say(answer.text, true);
  if (answer.type !== "hint" || answer.version !== state.version) return;
  hint = answer;
  say(answer.text);
  speak(answer.text);
  at = null;
  draw();
}

function resign() {
  const side = state.mode === "computer" ? state.human : state.turn;
  $("ask").dataset.version = String(state.version);
  question(`${SIDES[side]}方真的认输吗？`, "认输", "不，接着下", () => send({ do: "resign" }));
}

async function review() {
  if (thinking) return;
  thinking = true;
  say("正在复盘，长的棋要等一会儿…");
  const answer = await channel.send({ do: "review" });
  thinking = false;
  if (answer.type === "error") return say(answer.text, true);
  if (answer.type !== "review") return;
  $("remarks").hidden = false;
  say(answer.remarks.length ? `复盘完了，有 ${answer.remarks.length} 着可以改进，列在下面。`
    : "复盘完了，没有看到明显的失误。");
  $("remarks-list").replaceChildren(
    ...answer.remarks.map((one) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = one.text;
      button.addEventListener("click", () => go(one.ply));
      item.append(button);
      return item;
    }),
  );
}

// ---------------------------------------------------------------- files

async function saveFile() {
  try {
    const game = current();
    const answer = await ask(`/api/games/${game.id}/file?form=pgn`, { token: game.token });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = `棋苑-${new Date().toISOString().slice(0, 10)}.pgn`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    say("棋谱已经存到下载文件夹。");
  } catch (error) {
    say(error.message, true);
  }
}

async function openFile() {
  const [file] = $("file").files;
  if (!file) return;
  try {
    if (file.size > 128 << 10) throw new Trouble("文件超过 128 KB，不像一局棋");
    const games = await askJson("/api/records", { method: "POST", body: file, raw: true });
    const one = games[0];
    await begin("two", { start: one.start, moves: one.moves });
    const skipped = [games.length > 1 ? `文件里有 ${games.length} 局，打开了第一局。` : "", ...one.defects];
    if (skipped.some(Boolean)) setTimeout(() => say(skipped.filter(Boolean).join(" "), true), 400);
  } catch (error) {
    say(error.message, true);
  } finally {
    $("file").value = "";
  }
}

async function toRule() {
  const game = current();
  try {
    const answer = await ask(`/api/games/${game.id}/file?form=pgn`, { token: game.token });
    document.dispatchEvent(new CustomEvent("rule", { detail: await answer.text() }));
    location.hash = "#/rule";
  } catch (error) {
    say(error.message, true);
  }
}
