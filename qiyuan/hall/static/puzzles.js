// 残局 on the page of games (the contract stands in play.js): the list, and a puzzle on the board.
import { askJson, keep, kept } from "./api.js";
import { View as Plain } from "./xiangqi.js";

const LETTERS = " KABNRCP kabnrcp";

export { aspect, least } from "./xiangqi.js";

const DONE = "puzzles-done"; // numbers may change from version to version: kept by position
let all = [];

const done = () => new Set(kept(DONE, []));
const material = (one) => one.theme.split("·")[0]; // the pattern of the mate would tell too much
const title = (one) => `残局第 ${one.number} 题：红先，${one.task}`;

async function fetched() {
  if (!all.length) all = await askJson("/api/puzzles");
  return all;
}

function codesOf(fen) {
  const rows = fen.split(" ")[0].replace(/\d/gu, (n) => ".".repeat(Number(n))).split("/");
  return rows.reverse().flatMap((row) => [...row].map((letter) => Math.max(0, LETTERS.indexOf(letter))));
}

function button(text, act, kind = "") {
  const made = document.createElement("button");
  made.type = "button";
  made.className = kind;
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}

// The first one after the puzzle begun last that has not been done, then those before it.
function nextOne() {
  const ready = done(), last = all.find((one) => one.fen === kept("puzzles-last", ""));
  const number = last ? last.number : 0;
  const left = all.filter((one) => !ready.has(one.fen) && one.number !== number);
  return left.find((one) => one.number > number) || left[0];
}

// ---------------------------------------------------------------- the list

export async function list(place, desk) {
  await fetched();
  const ready = done();
  const grades = [...new Map(all.map((one) => [one.grade, one.grade_zh]))];
  const next = nextOne();
  const start = (one) => begin(one, desk);
  const head = document.createElement("p");
  head.textContent = `红方先走，几步之内将死黑方。共 ${all.length} 题，做过 ${all.filter((one) => ready.has(one.fen)).length} 题。`;
  const tabs = document.createElement("div");
  tabs.className = "kinds";
  tabs.setAttribute("role", "group");
  tabs.setAttribute("aria-label", "难度");
  const rows = document.createElement("ul");
  rows.className = "plain puzzles";
  rows.setAttribute("aria-label", "题目");
  const show = (grade) => {
    keep("puzzles-grade", grade);
    for (const tab of tabs.children) tab.setAttribute("aria-pressed", String(Number(tab.dataset.grade) === grade));
    rows.replaceChildren(...all.filter((one) => one.grade === grade).map((one) => {
      const item = document.createElement("li");
      item.dataset.fen = one.fen;
      const theme = ready.has(one.fen) ? one.theme : material(one);
      const go = button(`${one.number}　${one.task}　${theme}`, () => start(one));
      if (ready.has(one.fen)) {
        const mark = document.createElement("span");
        mark.className = "done";
        mark.textContent = "✓ 做过";
        go.append(mark);
      }
      item.append(go);
      return item;
    }));
    const row = next && [...rows.children].find((item) => item.dataset.fen === next.fen);
    rows.scrollTop = row ? row.offsetTop - rows.firstChild.offsetTop : 0;
  };
  for (const [grade, zh] of grades) {
    const tab = button(zh, () => show(grade));
    tab.dataset.grade = grade;
    tabs.append(tab);
  }
  place.replaceChildren(head);
  if (next) place.append(button(`接着做：第 ${next.number} 题`, () => start(next), "main"));
  place.append(tabs, rows);
  const grade = kept("puzzles-grade", next ? next.grade : 1);
  show(grades.some(([one]) => one === grade) ? grade : 1);
}

function begin(one, desk) {
  keep("puzzles-last", one.fen);
  desk.begin(one.fen, title(one));
}

// ---------------------------------------------------------------- a puzzle on the board

export class View extends Plain {
  constructor(place, desk) {
    super(place, desk);
    this.step = null; // of the solution, while that is looked at
    this.task = document.createElement("p");
    this.task.className = "task";
    this.again = button("悔棋，再想想", () => desk.act({ do: "back" }), "main");
    this.next = button("下一题", () => this.goOn());
    this.solution = button("看解答", () => this.solve());
    this.earlier = button("解答上一步", () => this.look(this.step - 1));
    this.later = button("解答下一步", () => this.look(this.step + 1));
    const pair = document.createElement("div");
    pair.className = "four";
    pair.append(this.solution, this.next, this.earlier, this.later);
    desk.own.replaceChildren(this.task, this.again, pair);
    fetched().catch(() => {});
  }

  draw(scene) {
    if (scene && scene.fresh) this.step = null;
    if (!scene) return this.preview();
    super.draw(scene);
    const { state } = scene, one = state.position.puzzle, won = state.result && state.result.winner === 0;
    this.one = one;
    if (won && !done().has(one.fen)) keep(DONE, [...done(), one.fen]);
    const task = `第 ${one.number} 题（${one.grade_zh}）：红先，${one.task}。`;
    this.task.textContent = task + (won ? `完成！${one.theme}` : material(one));
    this.next.className = won ? "main" : "";
    this.again.hidden = won || !(state.notice || state.result) || !state.moves.length;
    this.buttons();
  }

  // On the menu: the puzzle that would be next.
  async preview() {
    this.scene = null;
    const next = (await fetched().catch(() => [])) && nextOne();
    if (!this.scene) this.board.draw({ codes: next ? codesOf(next.fen) : new Array(90).fill(0) });
  }

  buttons() {
    const looking = this.step !== null;
    this.solution.textContent = looking ? "回到棋局" : "看解答";
    this.earlier.hidden = this.later.hidden = !looking;
    if (!looking) return;
    this.earlier.disabled = this.step <= 0;
    this.later.disabled = this.step >= this.steps.length;
  }

  async goOn() {
    await fetched();
    begin(nextOne() || all[this.one.number % all.length], this.desk);
  }

  async solve() {
    if (this.step !== null) {
      this.step = null;
      this.buttons();
      this.paint();
      return this.desk.say("回到您的棋局。");
    }
    const answer = await this.desk.ask({ solution: true });
    if (answer.type === "error") return this.desk.say(answer.text, true);
    if (answer.type !== "answer") return undefined; // the line is cut, which is said
    this.steps = answer.steps;
    this.start = answer.start;
    return this.look(1);
  }

  look(step) {
    this.step = step;
    this.buttons();
    this.chosen = null;
    const shown = this.steps[step - 1];
    const { position } = shown || { position: this.start };
    this.board.draw({
      codes: position.codes,
      last: shown ? [shown.from, shown.to] : null,
      check: position.check,
    });
    const end = step === this.steps.length ? `${position.check === null ? "困毙" : "将死"}，完。` : position.say;
    this.desk.say(shown ? `解答第 ${step} 着，共 ${this.steps.length} 着。${shown.say}${end}` : "解答：开始的局面。");
  }

  drop() {
    if (this.step === null) super.drop();
  }

  point(sq) {
    if (this.step === null) return super.point(sq);
    return this.desk.say("正在看解答，按“回到棋局”再走棋。");
  }
}
