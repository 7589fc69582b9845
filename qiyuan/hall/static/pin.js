// The page before the hall for visitors from the room: asks for the PIN.
const say = document.getElementById("say");
document.getElementById("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const pin = document.getElementById("pin").value.trim();
  try {
    const answer = await fetch("/api/pin", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ pin }),
    });
    if (answer.ok) location.href = "/";
    else say.textContent = (await answer.json()).error;
  } catch {
    say.textContent = "连不上棋苑，请看主机上的棋苑是否还开着";
  }
});
