// Talking to the server: JSON requests, and one WebSocket a game that comes back by itself.
export class Trouble extends Error {}

export async function ask(path, { method = "GET", body, token, raw } = {}) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined && !raw) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: raw ? body : body && JSON.stringify(body) });
  } catch {
    throw new Trouble("连不上棋苑，请看主机上的棋苑是否还开着");
  }
  if (answer.status === 401) location.href = "/pin";
  if (!answer.ok) {
    const found = await answer.json().catch(() => ({}));
    const text = found.error || found.detail || `没有成功（${answer.status}）`;
    throw Object.assign(new Trouble(text), { marks: found.marks, status: answer.status });
  }
  return answer;
}

export const askJson = async (path, options) => (await ask(path, options)).json();

export class Channel {
  // onMessage(message) gets what the server tells; onState(open, why) whether the line stands, and
  // what the server said where it hung up before the game was open.
  constructor({ id, token }, onMessage, onState) {
    this.game = { id, token };
    this.onMessage = onMessage;
    this.onState = onState;
    this.waiting = new Map();
    this.n = 0;
    this.pause = 500;
    this.closed = false;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    let stands = false, why = "";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws/games/${this.game.id}`);
    this.socket.addEventListener("open", () => {
      this.socket.send(JSON.stringify({ token: this.game.token }));
    });
    this.socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "refused") this.closed = true;
      if (message.type === "error" && !stands) why = message.text;
      if (message.type === "state") {
        stands = true;
        this.pause = 500;
        this.onState(true);
      }
      const waiting = this.waiting.get(message.n);
      if (message.n !== undefined && waiting) {
        this.waiting.delete(message.n);
        waiting(message);
      }
      this.onMessage(message);
    });
    this.socket.addEventListener("close", () => {
      for (const waiting of this.waiting.values()) waiting({ type: "lost" });
      this.waiting.clear();
      if (this.closed) return;
      this.onState(false, stands ? "" : why);
      setTimeout(() => !this.closed && this.open(), this.pause);
      this.pause = Math.min(8000, 2 * this.pause);
    });
  }

  send(action) {
    if (this.socket.readyState !== WebSocket.OPEN)
      return Promise.resolve({ type: "error", text: "还没有连上，请稍等再按" });
    const n = ++this.n;
    this.socket.send(JSON.stringify({ ...action, n }));
    return new Promise((done) => this.waiting.set(n, done));
  }

  close() {
    this.closed = true;
    this.socket.close();
  }
}

export function base64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192)
    text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}

export function keep(key, value) {
  try {
    localStorage.setItem(`qiyuan.${key}`, JSON.stringify(value));
  } catch { /* a browser that keeps nothing still plays */ }
}

const kind = (value) => (Array.isArray(value) ? "array" : typeof value);

// What was kept, where it is of the kind of `otherwise` (null: any): what is damaged counts as nothing.
export function kept(key, otherwise) {
  try {
    const value = JSON.parse(localStorage.getItem(`qiyuan.${key}`)) ?? otherwise;
    return otherwise === null || kind(value) === kind(otherwise) ? value : otherwise;
  } catch {
    return otherwise;
  }
}
