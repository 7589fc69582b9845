"""The arbiter's clock: its rules against a twin that counts tenths of a second, and its page."""

from __future__ import annotations

import random
from typing import Any

import httpx
import pytest

from tests.hall.conftest import Hall
from tests.hall.test_pages import said

RUN = """async (steps) => {
  const clock = await import('/static/clock.js');
  const [setting, used, ...rest] = steps;
  let c = clock.fresh(setting, used);
  const seen = [];
  for (const [what, now, ...more] of rest) {
    c = clock[what](c, now, ...more);
    seen.push({...c, undo: null});
  }
  return seen;
}"""
SIGNALS = """async ([setting, times]) => {
  const clock = await import('/static/clock.js');
  let c = clock.start(clock.fresh(setting), 0);
  const heard = [];
  for (const now of times) {
    const next = clock.settle(c, now);
    heard.push(...clock.signals(c, next));
    c = next;
  }
  return heard;
}"""


class Twin:
    """The same clock by counting: every tenth of a second takes a tenth from somewhere."""

    def __init__(self, setting: dict[str, Any], used: int) -> None:
        self.setting = setting
        self.main = [max(0, setting["base"] * 10 - used * 5)] * 2
        self.left = [setting["period"] * 10] * 2
        self.over, self.moves = [0, 0], [0, 0]
        self.turn, self.running = 0, False
        self.flag: int | None = None

    def tick(self, seat: int) -> None:
        if self.main[seat]:
            self.main[seat] -= 1
            if not self.main[seat] and not self.setting["period"]:
                self.fall(seat)
            elif not self.main[seat] and not self.left[seat]:  # an overrun was forgiven before
                self.over[seat] += 1
                self.fall(seat)
            return
        self.left[seat] -= 1
        if not self.left[seat]:
            self.over[seat] += 1
            if self.over[seat] >= (self.setting["periods"] or 1e9):
                self.fall(seat)
            else:
                self.left[seat] = self.setting["period"] * 10

    def fall(self, seat: int) -> None:
        self.flag, self.running = seat, False

    def settle(self, tenths: int) -> None:
        for _ in range(tenths):
            if self.running:
                self.tick(self.turn)

    def start(self) -> None:
        self.running = self.flag is None

    def pause(self) -> None:
        self.running = False

    def press(self) -> None:
        if not self.running:
            return
        self.moves[self.turn] += 1
        self.left[self.turn] = self.setting["period"] * 10
        if self.main[self.turn]:
            self.main[self.turn] += self.setting["increment"] * 10
        self.turn = 1 - self.turn

    def adjust(self, seat: int, seconds: int) -> None:
        if seconds > 0:
            self.main[seat] += 10 * seconds
            if self.flag == seat:
                self.flag = None
            return
        for _ in range(-10 * seconds):
            if self.flag is None:
                self.tick(seat)


SETTINGS = [
    {"base": 30, "period": 0, "periods": 1, "increment": 0},
    {"base": 20, "period": 0, "periods": 1, "increment": 3},
    {"base": 20, "period": 5, "periods": 1, "increment": 0},
    {"base": 10, "period": 4, "periods": 3, "increment": 2},
    {"base": 0, "period": 6, "periods": 4, "increment": 0},
    {"base": 0, "period": 5, "periods": None, "increment": 0},
]


def test_the_clock_against_its_twin(open_page: Any) -> None:
    """200 random sessions of moves, pauses and penalties: every tenth and every count agrees."""
    page = open_page("/#/rule")
    rng = random.Random(9)
    flags = 0
    for number in range(200):
        setting, used = SETTINGS[number % len(SETTINGS)], rng.choice([0, 0, 6])
        twin, now = Twin(setting, used), 1_000_000
        steps: list[list[Any]] = []
        wanted = []
        for _ in range(40):
            what = rng.choice(
                ["settle"] * 4 + ["press"] * 4 + ["start", "start", "pause", "adjust"]
            )
            tenths = rng.choice([0, 1, 7, 18, 30, 55])
            now += 100 * tenths
            twin.settle(tenths)
            more = [rng.randrange(2), rng.choice([-8, -3, 2, 5])] if what == "adjust" else []
            steps.append([what, now, *more])
            if what != "settle":
                getattr(twin, what)(*more)
            wanted.append(
                (twin.turn, twin.running, twin.flag, *twin.main, *twin.left, *twin.over,
                 *twin.moves)
            )  # fmt: skip
        seen = page.evaluate(RUN, [setting, used, *steps])
        for step, got, want in zip(steps, seen, wanted, strict=True):
            a, b = got["sides"]
            shown = (
                got["turn"], got["running"], got["flag"], a["main"] / 100, b["main"] / 100,
                a["left"] / 100, b["left"] / 100, a["over"], b["over"], a["moves"], b["moves"],
            )  # fmt: skip
            assert shown == pytest.approx(want, abs=1e-6), (number, step)
        flags += twin.flag is not None
    assert flags > 40


def test_closed_forms(open_page: Any) -> None:
    page = open_page("/#/rule")
    # main time, then periods: what t seconds of thinking leave, whole or in odd pieces
    setting = {"base": 10, "period": 5, "periods": 4, "increment": 0}
    for t in (3.3, 10, 12.4, 14.9, 15.0, 21.7, 29.9):
        pieces = [["start", 0], *(["settle", t * 1000 * k / 7] for k in range(1, 8))]
        side = page.evaluate(RUN, [setting, 0, *pieces])[-1]["sides"][0]
        over, into = divmod(round(max(0, t - 10), 6), 5)
        assert side["main"] == pytest.approx(1000 * max(0, 10 - t))
        assert side["over"] == over
        assert side["left"] == pytest.approx(5000 - 1000 * into)
    assert page.evaluate(RUN, [setting, 0, ["start", 0], ["settle", 29_999]])[-1]["flag"] is None
    assert page.evaluate(RUN, [setting, 0, ["start", 0], ["settle", 30_000]])[-1]["flag"] == 0
    # n moves of d seconds with an increment: base + n (increment - d)
    setting = {"base": 60, "period": 0, "periods": 1, "increment": 5}
    presses = [["press", 2500 * k] for k in range(1, 21)]
    sides = page.evaluate(RUN, [setting, 0, ["start", 0], *presses])[-1]["sides"]
    assert [side["main"] for side in sides] == pytest.approx([60_000 + 10 * 2500] * 2)
    # put on in mid-game (S2-WQ-5): what was used is split
    sides = page.evaluate(RUN, [{**setting, "base": 1800}, 600, ["start", 0]])[-1]["sides"]
    assert [side["main"] for side in sides] == [1_500_000, 1_500_000]
    # a switch by mistake: all that has passed since counts for the mover
    steps = [["start", 0], ["press", 4000], ["unpress", 9000], ["settle", 10_000]]
    clock = page.evaluate(RUN, [setting, 0, *steps])[-1]
    assert clock["turn"] == 0
    assert [side["main"] for side in clock["sides"]] == [50_000, 60_000]
    assert [side["moves"] for side in clock["sides"]] == [0, 0]
    # an hour asleep is an hour of thinking, also for a count without end
    free = {"base": 0, "period": 300, "periods": None, "increment": 0}
    clock = page.evaluate(RUN, [free, 0, ["start", 0], ["settle", 3_600_000]])[-1]
    assert (clock["sides"][0]["over"], clock["flag"]) == (12, None)
    shown = page.evaluate(
        "async (all) => all.map((await import('/static/clock.js')).digits)",
        [3_600_000, 3_599_001, 61_000, 20_000, 19_999, 19_900, 100, 1, 0],
    )
    assert shown == ["1:00:00", "1:00:00", "01:01", "00:20", "00:20", "19.9", "0.1", "0.1", "0.0"]


def test_what_is_told_and_when(open_page: Any) -> None:
    page = open_page("/#/rule")
    setting = {"base": 70, "period": 12, "periods": 2, "increment": 0}
    times = [100 * k for k in range(1, 1000)]
    heard = [(s["kind"], s.get("n")) for s in page.evaluate(SIGNALS, [setting, times])]
    count = [("count", n) for n in (5, 4, 3, 2, 1)]
    assert heard == [
        ("left", 60), ("left", 30), ("left", 10), *count, ("periods", None),
        ("left", 10), *count, ("over", 1), ("left", 10), *count, ("flag", None),
    ]  # fmt: skip
    # a tab that was asleep tells the last of what it missed, once
    heard = [(s["kind"], s.get("n")) for s in page.evaluate(SIGNALS, [setting, [65_500, 130_000]])]
    assert heard == [("left", 10), ("count", 5), ("flag", None)]


def test_presets_name_their_articles(hall: Hall) -> None:
    clocks = {one["id"]: one for one in httpx.get(f"{hall.url}/api/clocks").json()}
    assert (clocks["s4"]["base"], clocks["s4"]["period"], clocks["s4"]["periods"]) == (2400, 10, 1)
    assert clocks["s4"]["article"]["id"] == "S4-XQ-3"
    assert (clocks["s3a"]["periods"], clocks["s3b_quick"]["periods"]) == (4, 3)
    assert clocks["s3b_slow"]["periods"] is None
    assert clocks["s2"]["base"] == 1800


COUNT_BEEPS = """
  window.beeps = 0;
  const make = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () { beeps += 1; return make.call(this); };
"""


def opened(open_page: Any, preset: str, fake: bool) -> Any:
    page = open_page("/#/rule")
    page.add_init_script(COUNT_BEEPS)
    if fake:
        page.clock.install(time=1_800_000_000)
    page.reload()
    page.click("#job-clock")
    page.locator("#clock-preset option").nth(6).wait_for(state="attached")
    page.select_option("#clock-preset", preset)
    if fake:
        page.clock.pause_at(1_800_003_600)
    return page


def digits(page: Any, seat: int) -> str:
    return str(page.locator(f"#clock-big-{seat}").text_content())


def test_a_session_with_the_clock(open_page: Any) -> None:
    """5 minutes, then 5 seconds a move: warnings, switching, penalties, the flag."""
    page = opened(open_page, "s4_quick", fake=True)
    assert digits(page, 0) == "05:00"
    page.click("#clock-go")
    assert page.evaluate("document.activeElement.id") == "clock-0"
    page.clock.run_for(10_000)
    assert digits(page, 0) == "04:50"
    page.click("#clock-1")
    said(page, "红方的钟在走", "#rule-say")
    page.keyboard.press("Space")
    said(page, "轮到黑方", "#rule-say")
    page.clock.run_for(20_000)
    assert (digits(page, 0), digits(page, 1)) == ("04:50", "04:40")
    page.click("#clock-undo")  # the switch was a mistake
    assert (digits(page, 0), digits(page, 1)) == ("04:30", "05:00")
    page.click("#clock-0")
    page.click("#clock-pause")
    page.clock.run_for(60_000)
    assert digits(page, 1) == "05:00"
    page.get_by_label("红方", exact=True).nth(1).check()
    page.fill("#clock-seconds", "30")
    page.click("#clock-less")
    assert digits(page, 0) == "04:00"
    page.locator("#clock-log", has_text="红方减 30 秒").wait_for()
    page.click("#clock-pause")
    assert page.evaluate("document.activeElement.id") == "clock-1"
    beeps = page.evaluate("beeps")
    page.clock.run_for(239_000)
    said(page, "轮到|接着走", "#rule-say")
    page.clock.run_for(2_000)
    said(page, "黑方还有 60 秒", "#rule-say")
    assert page.evaluate("beeps") > beeps
    page.clock.run_for(60_000)
    said(page, "开始读秒，每步 5 秒", "#rule-say")
    page.keyboard.press("Space")  # in time: the period begins anew
    page.keyboard.press("Space")
    page.clock.run_for(4_800)
    assert digits(page, 1) == "0.2"
    page.clock.run_for(300)
    said(page, "黑方时间到：超时判负，红方胜（S4-XQ-4", "#rule-say")
    assert digits(page, 1) == "时间到"
    page.keyboard.press("Space")
    assert digits(page, 1) == "时间到"
    page.get_by_label("黑方", exact=True).nth(1).check()
    page.click("#clock-more")  # the arbiter lets it pass
    page.click("#clock-pause")
    page.clock.run_for(1_000)
    assert digits(page, 1) == "00:29"
    page.click("#clock-pause")
    page.click("#clock-new")
    page.locator("#clock-new", has_text="真的").click()
    page.locator("#clock-go:visible").wait_for()


def test_overruns_are_warned_of(open_page: Any) -> None:
    page = opened(open_page, "s3b_quick", fake=True)
    page.click("#clock-go")
    page.clock.run_for(20_100)
    said(page, "红方超时第 1 次：警告（S3B-XQ-3", "#rule-say")
    assert "超时 1 次" in page.locator("#clock-small-0").text_content()
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    page.clock.run_for(40_100)
    said(page, "红方时间到", "#rule-say")


def test_a_reload_loses_no_tenth(open_page: Any) -> None:
    page = opened(open_page, "own", fake=False)
    for name, value in (("base", "0"), ("period", "19"), ("periods", "9"), ("increment", "0")):
        page.fill(f"#clock-{name}", value)
    page.click("#clock-go")
    began = page.evaluate("JSON.parse(localStorage['qiyuan.clock']).clock.since")
    page.wait_for_timeout(600)
    page.reload()
    page.click("#job-clock")
    shown, now = page.evaluate(
        """async () => {
          const big = document.getElementById('clock-big-0');
          const now = await new Promise((done) => { // when it is written
            new MutationObserver(() => done(Date.now())).observe(big, { childList: true });
          });
          return [Number(big.textContent), now];
        }"""
    )
    left = 19 - (now - began) / 1000 % 19
    assert shown == pytest.approx(left, abs=0.25)  # a tenth for rounding, one for the interval
    page.locator("#clock-log", has_text="开始：自己设定").wait_for()
