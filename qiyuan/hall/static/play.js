// 对弈: one game on the board, with the computer or between people who share the screen.
//
// Of the games this page knows only names. What belongs to one is in the module <game>.js, loaded
// when such a game is opened:
//
//   aspect            width / height of the board
//   least             its least width in CSS pixels, for windows that are not high
//   View(place, desk) a board in an empty element, with
//     draw(scene)     scene: state and position as the server tells them (position: that of the ply
//                     that is looked at), last (the move that led there, or null), live (false while
//                     an earlier position is looked at), hint, marks, fresh (a new position: forget
//                     what was selected); null = no game is open, show the start
//     drop()          let go of what was selected
//     sample(seat)    a small picture of what the seat plays with
//     flip()          turn the board; may be left out
//     close()         the board goes away; may be left out
//   list(place, desk) fills an element of the menu with the beginnings of a game that is listed
//   desk              what the page does for it:
//     free()          whether the person may move now; if not, it has said why
//     move(text, question, preview)  play a move. Where people want to be asked before it counts,
//                     preview() draws it and the question is put; without a question it is played
//     say(text, wrong)  the line that readers read aloud
//     ask(question)   what only this game's face answers; a promise
//     act(action)     another action of the game (back)
//     begin(start, title)  another game of this kind from a position, against the computer
//     own             an empty element below that line, for buttons of the game's own
import { ask, askJson, Channel, keep, kept, Trouble } from "./api.js";
import { louder, speak, volume } from "./voice.js";

const $ = (id) => document.getElementById(id);
const modules = new Map();
let kinds = [], kind = null; // what the menu offers, what is chosen there
let view, shown, wanted, ready = Promise.resolve(); // the board, of which game it is and shall be
let channel, state;
let hint = null, marked = false, at = null, past = null, looking = false;
let thinking = null, moving = null; // the line that a hint or review is asked of; the move on its way
let begun = 0, note = "", cut = ""; // what to say with a game's first state, and when the line stands again
let remarks = new Map(), better = null; // of a review: by ply, and the one whose move is shown

const load = (game) => {
  if (!modules.has(game)) modules.set(game, import(`./${game}.js`).catch(() => {
    modules.delete(game);
    throw new Trouble("这种棋的棋盘没有取来，请刷新页面再试");
  }));
  return modules.get(game);
};

// The games that this browser kept, the current one first; what is no game there is passed over.
const games = () => kept("games", []).filter((one) =>
  typeof one?.id === "string" && typeof one.token === "string");
const offeredHere = (one) => kinds.some(({ game }) => game === gameOf(one));

export async function startPlay() {
  const [last] = games();
  load(last ? gameOf(last) : kept("kind", "xiangqi")).catch(() => {});
  $("start-computer").addEventListener("click", () => begin("computer"));
  $("start-two").addEventListener("click", () => begin("two"));
  $("start-open").addEventListener("click", () => $("file").click());
  $("start-return").addEventListener("click", goBack);
  $("file").addEventListener("change", openFile);
  $("back").addEventListener("click", () => send({ do: "back" }));
  $("hint").addEventListener("click", showHint);
  $("new").addEventListener("click", newGame);
  $("more").addEventListener("click", () => more($("more-panel").hidden));
  $("flip").addEventListener("click", () => view.flip());
  $("save").addEventListener("click", saveFile);
  $("confirm").addEventListener("click", () => toggle("confirm", "走子确认"));
  $("speech").addEventListener("click", () => {
    toggle("speech", "读棋");
    aloud("请走棋");
  });
  $("volume").addEventListener("click", () => {
    louder();
    showVolume();
    aloud("请走棋");
  });
  $("review").addEventListener("click", review);
  $("to-rule").addEventListener("click", toRule);
  $("draw").addEventListener("click", () => send({ do: "offer" }));
  $("resign").addEventListener("click", resign);
  $("step-first").addEventListener("click", () => go(0));
  $("step-back").addEventListener("click", () => go((at ?? state.moves.length) - 1));
  $("step-on").addEventListener("click", () => go((at ?? state.moves.length) + 1));
  $("step-last").addEventListener("click", () => go(null));
  toggleText("confirm", "走子确认");
  toggleText("speech", "读棋");
  showVolume();
  await menu();
  const current = games().find(offeredHere);
  if (current) resume(current);
  else panel("start");
}

// ---------------------------------------------------------------- the menu

async function menu() {
  try {
    kinds = await askJson("/api/kinds");
  } catch (error) {
    say(error.message, true);
    await new Promise((done) => setTimeout(done, 2000));
    return menu();
  }
  say("");
  $("kinds").replaceChildren(
    ...kinds.map((one) => {
      const button = document.createElement("button");
      button.type = "button";
      button.id = `kind-${one.game}`;
      button.textContent = one.zh;
      button.addEventListener("click", () => {
        choose(one.game);
        keep("kind", one.game);
        board(one.game, () => view.draw(null));
      });
      return button;
    }),
  );
  return choose(kept("kind", "xiangqi"));
}

const gameOf = (game) => game.game || "xiangqi"; // kept before there were others

function choose(game) {
  kind = kinds.find((one) => one.game === game) || kinds[0];
  for (const one of kinds) $(`kind-${one.game}`).setAttribute("aria-pressed", String(one === kind));
  $("options").replaceChildren(...kind.options.filter((one) => one.asked).map(optionLine));
  $("list").hidden = !kind.listed;
  if (kind.listed) list(kind.game);
  $("alone").hidden = kind.listed || !kind.levels.length;
  $("level").replaceChildren(...kind.levels.map(({ number, zh }) =>
    new Option(number ? `${number}　${zh}` : zh, number)));
  $("level").value = kept(`level-${kind.game}`, Math.min(2, kind.levels.length));
  $("humans").hidden = !kind.humans.length;
  const human = kept(`human-${kind.game}`, 0);
  $("humans").replaceChildren($("humans").firstElementChild, ...kind.humans.map((zh, seat) => {
    const label = document.createElement("label");
    label.className = "choice";
    const radio = document.createElement("input");
    Object.assign(radio, { type: "radio", name: "human", value: seat, checked: seat === human });
    label.append(radio, ` ${zh}`);
    return label;
  }));
  $("start-two").textContent = kind.together;
  $("start-two").hidden = kind.listed;
  $("start-open").hidden = kind.listed || !kind.forms.length;
}

function optionLine({ name, zh, choices }) {
  const line = document.createElement("p");
  const label = document.createElement("label");
  const select = document.createElement("select");
  select.id = label.htmlFor = `option-${name}`;
  label.textContent = zh;
  select.append(...choices.map((one) => new Option(one.zh, one.value)));
  const last = kept(`option-${kind.game}-${name}`, choices[0].value);
  if (choices.some((one) => one.value === last)) select.value = last;
  select.addEventListener("change", () => {
    keep(`option-${kind.game}-${name}`, select.value);
    if (shown === kind.game) view.draw(null); // the board may be another one
  });
  const words = document.createElement("span");
  const explain = () => { words.textContent = choices[select.selectedIndex].words; };
  select.addEventListener("change", explain);
  explain();
  line.append(label, select, words);
  return line;
}

function chosenOptions() {
  return Object.fromEntries(kind.options.filter((one) => one.asked).map(({ name }) => {
    const { value } = $(`option-${name}`);
    keep(`option-${kind.game}-${name}`, value);
    return [name, value];
  }));
}

async function list(game) {
  try {
    const module = await load(game);
    await module.list($("list"), { begin: (start, name) => beginFrom(game, start, name) });
  } catch (error) {
    say(error.message, true);
  }
}

// ---------------------------------------------------------------- which panel is shown

function panel(name) {
  $("start").hidden = name !== "start";
  $("game").hidden = $("turn").hidden = name !== "game";
  $("start-return").hidden = !state;
  if (name === "start") shelf();
  if (name === "start" && !state) board(kind.game, () => !state && view.draw(null));
  steps();
}

// The board of a game, empty if it was another one's before, and then what is done with it; of many
// wishes the last counts.
function board(game, act = () => {}) {
  wanted = game;
  ready = load(game).then((module) => {
    if (wanted !== game || shown === game) return;
    if (view && view.close) view.close();
    shown = game;
    const place = document.createElement("div");
    place.id = "play-board";
    $("play-board").replaceWith(place);
    $("own").replaceChildren();
    place.parentElement.style.setProperty("--aspect", module.aspect);
    place.parentElement.style.setProperty("--least", `${module.least}px`);
    view = new module.View(place, {
      free, move, say, own: $("own"), act: send,
      begin: (start, name) => beginFrom(game, start, name),
      ask: (question) => channel.send({ do: "ask", question }),
    });
    $("flip").hidden = !view.flip;
  });
  return ready.then(() => { if (shown === game) act(); }, (error) => say(error.message, true));
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

function showVolume() {
  $("volume").textContent = `音量：${volume()[0]}`;
}

async function aloud(text) {
  if (await speak(text)) return;
  say(`${$("say").textContent}（这台机器放不出声音）`, $("say").classList.contains("wrong"));
}

function question(text, yes, no, act, refuse = () => {}) {
  $("ask").hidden = false;
  $("ask").dataset.version = String(state.version);
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

// A game of a list; of these only the last is kept to go on with.
async function beginFrom(game, start, name) {
  choose(game);
  const old = games().filter((one) => one.game === game);
  if (!(await begin("computer", { start }, name))) return;
  for (const one of old) forget(one).catch(() => {}); // it stays on the shelf then
}

// Begin a game, with what to say of it besides; tells whether it was begun.
async function begin(mode, extra = {}, name = "", besides = "") {
  const checked = document.querySelector("input[name=human]:checked");
  const human = mode === "computer" && checked ? Number(checked.value) : 0;
  const level = Number($("level").value || 2);
  if (mode === "computer") {
    keep(`human-${kind.game}`, human);
    keep(`level-${kind.game}`, level);
  }
  const body = { game: kind.game, mode, human, level, options: chosenOptions(), ...extra };
  const game = { game: kind.game, title: name || title(body), when: Date.now() };
  const number = ++begun;
  for (const button of ["start-computer", "start-two"]) $(button).disabled = true;
  try {
    Object.assign(game, await askJson("/api/games", { method: "POST", body }));
    if (number !== begun) await forget(game); // another one was wanted meanwhile
    else resume(game, besides);
    return number === begun;
  } catch (error) {
    if (number === begun) say(error.message, true);
    return false;
  } finally {
    for (const button of ["start-computer", "start-two"]) $(button).disabled = false;
  }
}

function title({ mode, level, human }) {
  if (mode === "two") return `${kind.zh}：${kind.together}`;
  const name = kind.levels.find((one) => one.number === level);
  const seat = kind.humans[human] ? `，您执${kind.humans[human].replace(/（.*/u, "")}` : "";
  return `${kind.zh}：和电脑下（${name ? name.zh.replace(/（.*/u, "") : level}${seat}）`;
}

function resume(game, besides = "") {
  const others = games().filter((one) => one.id !== game.id);
  keep("games", [game, ...others].slice(0, 200));
  if (channel) channel.close();
  state = undefined;
  [hint, at, past, thinking, moving, note, cut] = [null, null, null, null, null, besides, ""];
  hideQuestion();
  more(false);
  forgetReview();
  for (const id of ["turn", "moves"]) $(id).replaceChildren();
  say("");
  panel("game");
  board(gameOf(game));
  const line = new Channel(
    game,
    (message) => ready.then(() => line === channel && receive(message), () => {}),
    (open, why) => {
      if (open) return;
      say(why || "连接断开了，正在重新连接。下过的棋都已存好。", true);
      cut = "又连上了。";
    },
  );
  channel = line;
}

function goBack() {
  return board(state.game, () => {
    if (!state) return;
    panel("game");
    draw(true);
  });
}

function shelf() {
  const all = games().filter(offeredHere);
  $("shelf").hidden = !all.length;
  $("shelf-list").replaceChildren(
    ...all.map((game) => {
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
  try {
    await forget(game);
  } catch (error) {
    return say(error.message, true);
  }
  if (state && state.id === game.id) {
    channel.close();
    state = undefined;
  }
  return panel("start");
}

// Off the shelf once it is off the disk, or was not there.
async function forget(game) {
  try {
    await ask(`/api/games/${game.id}`, { method: "DELETE", token: game.token });
  } catch (error) {
    if (error.status !== 404) throw error;
  }
  keep("games", games().filter((one) => one.id !== game.id));
  shelf();
}

function newGame() {
  say("");
  choose(state ? state.game : kind.game);
  panel("start");
  $(`kind-${kind.game}`).focus();
}

// ---------------------------------------------------------------- what the server tells

function receive(message) {
  if (message.type === "state") return arrive(message.state);
  if (message.type === "refused") {
    keep("games", games().filter((one) => one.id !== channel.game.id));
    state = undefined;
    panel("start");
    return say(message.text, true);
  }
  if (message.type === "error" && message.n === undefined) say(message.text, true);
  return undefined;
}

function arrive(next) {
  const before = state && state.id === next.id ? state : undefined;
  state = next;
  const fresh = !before || before.version !== next.version;
  if (fresh) {
    [hint, at, past, moving] = [null, null, null, null];
    if ($("ask").dataset.version !== String(next.version)) hideQuestion();
    if (before && next.moves.length < before.moves.length) forgetReview();
    announce(before, next);
  }
  if (note) say(`${$("say").textContent} ${note}`, true);
  if (cut && before && stood(before) === stood(next)) say(cut);
  note = cut = "";
  offered();
  draw(fresh);
}

// How far a game is, whatever number the server gives that.
const stood = ({ moves, result, offer }) => JSON.stringify([moves.length, result, offer]);

function announce(before, next) {
  const count = next.moves.length, old = before ? before.moves.length : 0;
  const last = next.moves[count - 1];
  let text = "";
  if (before && count < old) text = "已经悔棋。";
  else if (before && next.result && count === old) text = ""; // given up or agreed: no move is news
  else if (last) text = last.say || `${next.seats[last.seat]}：${last.zh}。`;
  else text = `开局，请${next.position.todo || "走棋"}。`;
  if (next.position.say && !next.result) text += next.position.say;
  if (next.notice) text += next.notice;
  if (next.result) text = `${text} ${next.result.text}${next.result.ruling || ""}`.trim();
  say(text);
  const news = before && (count !== old || (next.result && !before.result));
  const own = next.mode === "computer" && count > old && last.seat === next.human && !next.result;
  if (news && !own) aloud(text + toYou(next, count < old)); // people know what they played
}

// What is said aloud besides to somebody who plays against the computer.
function toYou({ mode, result, human }, back) {
  if (mode !== "computer") return "";
  if (back) return "该您走了。";
  if (!result || result.winner === null) return "";
  return result.winner === human ? "您赢了。" : "电脑赢了。";
}

function offered() {
  if (state.offer === null || state.result) return;
  if (!$("ask").hidden && $("ask").dataset.version === String(state.version)) return;
  const others = state.seats.length === 2 ? `${state.seats[1 - state.offer]}同意吗` : "其他各方都同意吗";
  question(`${state.seats[state.offer]}提出和棋。${others}？`, "同意和棋", "不同意",
    () => send({ do: "accept" }), () => send({ do: "refuse" }));
  aloud(`${state.seats[state.offer]}提出和棋`);
}

// ---------------------------------------------------------------- drawing

function draw(fresh = false) {
  if (!$("start").hidden) return; // another board may stand there; it is drawn on the way back
  picture({ fresh });
  turn();
  moves();
  steps();
  const can = new Set(state.can);
  for (const [id, off] of [["back", !state.moves.length], ["hint", !mine()],
    ["draw", !mine()], ["resign", Boolean(state.result)], ["review", !state.moves.length]]) {
    $(id).disabled = off;
    $(id).hidden = !can.has(id);
  }
  $("to-rule").hidden = !can.has("rule");
  const { forms, listed } = kinds.find((one) => one.game === state.game);
  $("save").hidden = !forms.length;
  $("new").textContent = listed ? "选题" : "新局";
}

function picture(more = {}) {
  if (!$("start").hidden || (at !== null && !past)) return; // it is on its way
  marked = Boolean(more.marks);
  view.draw({
    state,
    position: at === null ? state.position : past,
    last: state.moves[(at ?? state.moves.length) - 1] || null,
    live: at === null,
    hint: at === null ? hint : better,
    marks: [],
    fresh: false,
    ...more,
  });
}

const mine = () => !state.result && !state.thinking;

function turn() {
  const words = document.createElement("span"), seat = state.seats[state.turn];
  if (at !== null) words.textContent = `正在看第 ${at} 着以后的局面`;
  else if (state.result) words.textContent = state.result.text;
  else if (state.thinking) words.textContent = `轮到${seat}：电脑正在想`;
  else words.textContent = `轮到${seat}${state.mode === "computer" ? "（您）" : ""}${state.position.todo || "走"}`;
  $("turn").replaceChildren(view.sample(state.result?.winner ?? state.turn), words);
}

// Two seats that take turns have a column each, else every move has a line.
const inTurns = () => state.seats.length === 2
  && state.moves.every((move, ply) => !ply || move.seat !== state.moves[ply - 1].seat);

function moves() {
  const rows = [], pairs = inTurns();
  const gap = pairs && state.moves.length && state.moves[0].seat === 1 ? 1 : 0;
  const cells = [...new Array(gap).fill(null), ...state.moves];
  for (let i = 0; i < cells.length; i += pairs ? 2 : 1) {
    const row = document.createElement("li");
    const number = document.createElement("span");
    number.textContent = `${pairs ? i / 2 + 1 : i + 1}.`;
    row.append(number, ...(pairs ? [i, i + 1] : [i]).map((cell) => moveCell(cells[cell], cell + 1 - gap, pairs)));
    rows.push(row);
  }
  $("moves").classList.toggle("single", !pairs);
  $("moves").replaceChildren(...rows);
  const now = $("moves").querySelector("[aria-current=true]");
  if (now) $("moves").scrollTop = now.offsetTop - $("moves").offsetTop - 120;
}

function moveCell(move, ply, pairs) {
  if (!move) return document.createElement("span");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = pairs ? move.zh : `${state.seats[move.seat]}　${move.zh}`;
  if (remarks.has(ply)) button.append(`　${remarks.get(ply).mark}`);
  if (ply === (at ?? state.moves.length)) button.setAttribute("aria-current", "true");
  button.addEventListener("click", () => go(ply));
  return button;
}

function steps() {
  const none = !state || !state.moves.length || !$("start").hidden;
  const now = state ? at ?? state.moves.length : 0;
  $("step-first").disabled = $("step-back").disabled = none || now === 0;
  $("step-on").disabled = $("step-last").disabled = none || at === null;
}

// Look at the position after some moves, null = the present one; of many wishes the last counts.
// With a remark of the review: at the position in which another move would have been better.
async function go(ply, remark = null) {
  if (!state) return;
  better = remark;
  at = ply === null || ply >= state.moves.length ? null : Math.max(0, ply);
  past = null;
  const move = state.moves[(at ?? state.moves.length) - 1];
  say(remark ? remark.text : at === null ? "回到现在的局面。" : move ? `第 ${at} 着：${move.zh}` : "开局。");
  draw();
  while (at !== null && !past && !looking) {
    looking = true;
    const wish = at, { version } = state;
    const answer = await channel.send({ do: "look", ply: wish });
    looking = false;
    if (!state) return;
    if (state.version !== version) continue; // moved on meanwhile: what is wished now is asked
    if (answer.type !== "position") {
      [at, past] = [null, null]; // back where the board is known
      draw();
      if (answer.type === "error") say(answer.text, true);
      return;
    }
    if (at === wish) {
      past = answer.position;
      picture();
    }
  }
}

// ---------------------------------------------------------------- moving

function free() {
  if (!state || !$("start").hidden) say("请先开一局棋。");
  else if (at !== null) go(null);
  else if (state.result) say(`${state.result.text}可以悔棋，或者开新局。`);
  else if (state.thinking) say("电脑正在想，请稍等。");
  else {
    if (hint || marked) {
      hint = null;
      picture();
    }
    return true;
  }
  return false;
}

function move(text, words, preview = () => {}) {
  const action = { do: "move", move: text };
  if (!words || !kept("confirm", false)) return send(action);
  preview();
  return question(words, "走", "不走", () => send(action), () => view.drop());
}

async function send(action) {
  if (action.do === "move") {
    // a second click of one that was meant once must not count as the next one's move
    if (moving) return say("上一步还在路上，请稍等。");
    moving = action;
  }
  hint = null;
  const line = channel, answer = await line.send(action);
  if (moving === action) moving = null;
  if (line !== channel) return answer; // another game is open by now
  if (answer.type === "error") {
    say(answer.text, true);
    if (answer.marks && state && at === null) picture({ marks: answer.marks });
  }
  if (answer.type === "say") say(answer.text);
  if (answer.type === "lost") {
    say("连接断开了，请看这一步走上没有。", true);
    cut = "又连上了。刚才的那一步没有算数，请再来一次。";
    view.drop();
  }
  return answer;
}

// What the computer thinks of the game; nothing where another one is open by then.
async function thought(about, words) {
  if (thinking) return say("正在想，请稍等。");
  const line = thinking = channel;
  say(words);
  const answer = await line.send({ do: about });
  if (thinking === line) thinking = null;
  return line === channel ? answer : undefined;
}

async function showHint() {
  const answer = await thought("hint", "正在想…");
  if (!answer) return;
  if (answer.type === "error") return say(answer.text, true);
  if (answer.type !== "hint" || answer.version !== state.version) return;
  [hint, at] = [answer, null];
  say(answer.text);
  aloud(answer.text);
  draw();
}

function resign() {
  const side = state.mode === "computer" ? state.human : state.turn;
  question(`${state.seats[side]}真的认输吗？`, "认输", "不，接着下", () => send({ do: "resign" }));
}

async function review() {
  const line = () => state.moves.map((move) => `${move.zh} `).join(""), before = line();
  const answer = await thought("review", "正在复盘，长的棋要等一会儿…");
  if (!answer) return;
  if (answer.type === "error") return say(answer.text, true);
  if (answer.type !== "review") return;
  if (!line().startsWith(before)) return say("悔过棋了，请再复盘一次。", true);
  remarks = new Map(answer.remarks.map((one) => [one.ply, one]));
  more(false); // the list would be far below
  moves();
  $("remarks").hidden = false;
  say(answer.remarks.length ? `复盘完了，有 ${answer.remarks.length} 着可以改进，列在下面。`
    : "复盘完了，没有看到明显的失误。");
  $("remarks-list").replaceChildren(
    ...answer.remarks.map((one) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = one.text;
      button.addEventListener("click", () => go(one.ply - 1, one));
      item.append(button);
      return item;
    }),
  );
}

function forgetReview() {
  remarks = new Map();
  $("remarks").hidden = true;
}

// ---------------------------------------------------------------- files

async function saveFile() {
  try {
    const { game } = channel, { forms: [{ form, suffix }], zh } = kinds.find((one) => one.game === state.game);
    const answer = await ask(`/api/games/${game.id}/file?form=${form}`, { token: game.token });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = `${zh}-${new Date().toLocaleDateString("sv-SE")}.${suffix}`; // 2026-05-01, of here
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
    const found = await askJson(`/api/records?game=${kind.game}`, { method: "POST", body: file, raw: true });
    const [one] = found;
    const skipped = [found.length > 1 ? `文件里有 ${found.length} 局，打开了第一局。` : "", ...one.defects];
    await begin("two", { start: one.start, moves: one.moves, ...(one.options && { options: one.options }) },
      "", skipped.filter(Boolean).join(" "));
  } catch (error) {
    say(error.message, true);
  } finally {
    $("file").value = "";
  }
}

async function toRule() {
  const { game } = channel;
  try {
    const answer = await ask(`/api/games/${game.id}/file?form=pgn`, { token: game.token });
    document.dispatchEvent(new CustomEvent("rule", { detail: await answer.text() }));
    location.hash = "#/rule";
  } catch (error) {
    say(error.message, true);
  }
}
