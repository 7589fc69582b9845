// Speaking: by a Chinese voice of this machine where the browser has one, else by clips of our own.
import { keep, kept } from "./api.js";

export const VOLUMES = [["小", 0.3], ["中", 0.6], ["大", 1]];
const BETWEEN = 0.25; // seconds between clauses

export const speaks = () => kept("speech", false);
export const volume = () => VOLUMES[kept("volume", 1)] || VOLUMES[1];

export function louder() {
  keep("volume", (kept("volume", 1) + 1) % VOLUMES.length);
}

// Speak a sentence in place of the one before; the promise tells whether this machine can speak.
export async function speak(text) {
  hush();
  if (!speaks()) return true;
  const voice = localVoice();
  if (voice) return utter(voice, text);
  try {
    await play(text);
    return true;
  } catch {
    return false; // no sound on this machine, or the clips did not come
  }
}

export function hush() {
  saying += 1;
  for (const source of playing.splice(0)) source.stop();
  if (window.speechSynthesis) speechSynthesis.cancel();
}

// ---------------------------------------------------------------- the browser's voice

// Not one that sends the text to another host. espeak's own reads Chinese characters as English
// where its dictionary lacks them; our clips were made from pinyin.
function localVoice() {
  if (!window.speechSynthesis) return undefined;
  const voices = speechSynthesis.getVoices().filter((one) =>
    one.localService && /^(zh|cmn)([-_]|$)/i.test(one.lang) && !/espeak/i.test(`${one.name} ${one.voiceURI}`));
  return voices.find((one) => /^zh[-_]CN/i.test(one.lang))
    || voices.find((one) => !/HK|MO|yue/i.test(one.lang));
}

function utter(voice, text) {
  const words = new SpeechSynthesisUtterance(pronounced(text));
  [words.voice, words.lang, words.rate, words.volume] = [voice, voice.lang, 0.9, volume()[1]];
  speechSynthesis.speak(words);
  return true;
}

// In moves, 车 and 将 and 相 have readings that a voice does not choose by itself.
const PIECES = { 车: "居", 将: "匠", 相: "象" };

export const pronounced = (text) => text.replace(
  /[车将相](?=[1-9一二三四五六七八九]?[进退平])/gu, (piece) => PIECES[piece]);

// ---------------------------------------------------------------- clips

let context, clips, saying = 0;
const playing = [];

async function load() {
  const [index, sound] = await Promise.all(["json", "wav"].map(async (kind) => {
    const answer = await fetch(`/static/voice.${kind}`);
    if (!answer.ok) throw new Error(answer.statusText);
    return kind === "json" ? answer.json() : answer.arrayBuffer();
  }));
  return { ...index, buffer: await context.decodeAudioData(sound) };
}

// The clauses of a text as words that there are clips of, the longest first; what cannot be spoken
// as a whole is left to the eye.
export function clauses(text, words) {
  const longest = Math.max(...Object.keys(words).map((word) => word.length));
  return text.split(/[^\p{L}\p{N} ]+/u).map((spaced) => {
    const clause = spaced.replaceAll(" ", ""), found = [];
    for (let at = 0; at < clause.length;) {
      let size = Math.min(longest, clause.length - at);
      while (size && !Object.hasOwn(words, clause.slice(at, at + size))) size -= 1;
      if (!size) return [];
      found.push(clause.slice(at, at + size));
      at += size;
    }
    return found;
  }).filter((found) => found.length);
}

async function play(text) {
  const mine = saying;
  context ??= new AudioContext();
  clips ??= load();
  const ready = clips;
  ready.catch(() => { if (clips === ready) clips = undefined; }); // the next one tries again
  await context.resume();
  const { rate, words, buffer } = await ready;
  if (mine !== saying) return; // something newer is being said
  const gain = new GainNode(context, { gain: volume()[1] });
  gain.connect(context.destination);
  let when = context.currentTime + 0.05;
  for (const clause of clauses(text, words)) {
    for (const span of clause.flatMap((word) => words[word])) {
      const [from, length] = span.map((samples) => samples / rate);
      const source = new AudioBufferSourceNode(context, { buffer });
      source.connect(gain);
      source.start(when, from, length);
      playing.push(source);
      when += length;
    }
    when += BETWEEN;
  }
}
