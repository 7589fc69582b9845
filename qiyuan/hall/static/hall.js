// The page as a whole: tabs, looks, and how warm the kernels are.
import { askJson, keep, kept } from "./api.js";
import { startPlay } from "./play.js";
import { startRule } from "./rule.js";

const $ = (id) => document.getElementById(id);
const PAGES = ["play", "rule", "help"];
const SIZES = [["22", "大"], ["26", "更大"], ["30", "最大"]];

function show() {
  const wanted = location.hash.slice(2); // "#/rule": no element's id, so that nothing scrolls
  const page = PAGES.includes(wanted) ? wanted : "play";
  for (const name of PAGES) {
    $(name).hidden = name !== page;
    if (name === page) $(`tab-${name}`).setAttribute("aria-current", "page");
    else $(`tab-${name}`).removeAttribute("aria-current");
  }
  document.title = `棋苑：${{ play: "对弈", rule: "裁判", help: "帮助" }[page]}`;
}

function look() {
  const [size, word] = SIZES[kept("size", 0)] || SIZES[0];
  document.documentElement.dataset.size = size;
  $("size").textContent = `字号：${word}`;
  const high = kept("contrast", false);
  document.documentElement.dataset.contrast = high ? "high" : "usual";
  $("contrast").setAttribute("aria-pressed", String(high));
}

$("size").addEventListener("click", () => {
  keep("size", (kept("size", 0) + 1) % SIZES.length);
  look();
});
$("contrast").addEventListener("click", () => {
  keep("contrast", !kept("contrast", false));
  look();
});
window.addEventListener("hashchange", show);

async function warm() {
  try {
    const { progress } = await askJson("/api/status");
    const left = progress.total - progress.done;
    $("warming").hidden = !left;
    if (left) {
      $("warming-text").textContent =
        `首次运行要准备一会儿，正在准备：${progress.now}（第 ${progress.done + 1} 项，共 ${progress.total} 项）` +
        (progress.playable ? "。可以先开始下棋。" : "");
      $("warming-bar").value = (100 * progress.done) / progress.total;
      setTimeout(warm, 700);
    }
  } catch {
    setTimeout(warm, 2000);
  }
}

look();
show();
warm();
startPlay();
startRule();
