"use strict";
// The token stays in the fragment of the address: it is sent in the first message only, never in a request.
const token = location.hash.slice(1);
const WAIT_MS = [200, 500, 1000, 2000, 5000];
const ENDED = { 4001: "refused", 4002: "full", 4003: "refused", 4004: "refused" };
let words = {
  lost: "No connection. Trying again…",
  refused: "This link no longer opens anything. Scan the code again.",
  full: "Too many devices are connected.",
  asking: "Waiting for a yes at the table's window…",
};
let tries = 0;
let seen = 0;
let socket = null;
// Pictures by name, as the server sends them once; cards that are being named, by action.
const pictures = new Map();
const chosen = new Map();

const at = (id) => document.getElementById(id);

function device() {
  const key = "device";
  let id = sessionStorage.getItem(key);
  if (id === null) {
    id = Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");
    sessionStorage.setItem(key, id);
  }
  return id;
}

function make(kind, text, className) {
  const node = document.createElement(kind);
  node.textContent = text || "";
  node.className = className || "";
  return node;
}

function prompt(one) {
  const node = make("div", "", "prompt");
  node.append(make("span", one.text));
  if (one.mine) {
    const button = make("button", words.done);
    button.addEventListener("click", () => {
      button.disabled = true;
      socket.send(JSON.stringify({ done: one.id }));
    });
    node.append(button);
  }
  return node;
}

function picture(node, name, alt, at, size) {
  if (node.dataset.picture !== name) {
    node.dataset.picture = name;
    node.src = `data:image/png;base64,${pictures.get(name)}`;
  }
  node.alt = alt;
  ["left", "top", "width", "height"].forEach((side, n) => {
    node.style.setProperty(side, `${(100 * at[n]) / size[n % 2]}%`);
  });
}

// The same nodes are used again: a picture that stays is not drawn anew, so nothing flickers.
function drawing(drawn) {
  const node = at("drawing");
  node.style.setProperty("aspect-ratio", `${drawn.size[0]} / ${drawn.size[1]}`);
  while (node.children.length > drawn.cards.length + 1) node.lastChild.remove();
  while (node.children.length < drawn.cards.length + 1) node.append(document.createElement("img"));
  picture(node.children[0], drawn.ground, "", [0, 0, ...drawn.size], drawn.size);
  drawn.cards.forEach((card, n) => picture(node.children[n + 1], card[4], card[5], card, drawn.size));
}

function hand(cards, held) {
  if (cards.length === 0) return at("hand").replaceChildren();
  const row = make("div", "", "cards");
  row.append(...cards.map((card, n) => {
    if (!held) {
      const chip = make("span", card.name, "card");
      chip.dataset.kind = card.kind;
      return chip;
    }
    const image = document.createElement("img");
    image.src = `data:image/png;base64,${pictures.get(held.cards[n])}`;
    image.alt = card.name;
    return image;
  }));
  at("hand").replaceChildren(make("b", words.hand), row);
}

function asked(one) {
  const node = make("div", "", "prompt asked");
  const cards = chosen.get(one.action) || [];
  const press = (text, isOff, act) => {
    const button = make("button", text);
    button.disabled = isOff;
    button.addEventListener("click", () => {
      act();
      node.replaceWith(asked(one));
    });
    return button;
  };
  const names = new Map(one.cards);
  const choices = make("div", "", "cards");
  choices.append(...one.cards.map(([card, name]) => press(name, cards.length >= one.most, () => chosen.set(one.action, [...cards, card]))));
  const told = cards.length ? cards.map((card) => names.get(card)).join(", ") : words.none;
  node.append(make("span", `${one.text}. ${words.which}`), choices, make("b", told));
  if (one.refused) node.append(make("span", words.unfit, "small"));
  const row = make("div", "", "cards");
  row.append(press(words.say, cards.length < one.least, () => {
    chosen.delete(one.action);
    socket.send(JSON.stringify({ action: one.action, cards }));
  }), press(words.clear, cards.length === 0, () => chosen.delete(one.action)));
  node.append(row);
  return node;
}

function answers(asked) {
  const buttons = (asked ? asked.choices : []).map((text, n) => {
    const button = make("button", `${n + 1}. ${text}`);
    button.addEventListener("click", () => {
      buttons.forEach((one) => (one.disabled = true));
      socket.send(JSON.stringify({ question: asked.question, choice: n }));
    });
    return button;
  });
  at("answers").replaceChildren(...buttons);
}

function player(one) {
  const node = make("div", "", one.active ? "player active" : "player");
  node.dataset.colour = one.player;
  node.append(make("b", (one.winner ? "★ " : "") + one.name));
  for (const counter of one.counters) {
    node.append(make("div", `${counter.label}: ${counter.text}${counter.goal ? " / " + counter.goal : ""}`));
  }
  return node;
}

function show(page) {
  words = page.words;
  seen = page.number;
  document.documentElement.dataset.theme = page.theme;
  document.documentElement.lang = page.language || "en";
  document.body.className = words.role;
  document.title = page.title;
  at("turn").textContent = page.outcome || (page.turn ? `${words.turn}: ${page.turn}` : page.title);
  at("phase").textContent = page.phase;
  at("notice").textContent = page.notice;
  at("players").replaceChildren(...page.players.map(player));
  at("state").textContent = "";
  document.body.dataset.number = String(page.number);
  if (words.role === "overlay") return;
  at("prompts").replaceChildren(...page.prompts.map(prompt), make("div", page.more, "small"));
  answers(page.answers);
  at("asked").replaceChildren(...page.asked.map(asked));
  hand(page.hand, page.held);
  drawing(page.drawn);
  at("log").replaceChildren(make("b", words.log), ...page.history.slice().reverse().map((line) => make("div", line, "small")));
  at("plain").textContent = words.plain;
}

function connect() {
  socket = new WebSocket(`ws://${location.host}/live`);
  socket.addEventListener("open", () => socket.send(JSON.stringify({ token, device: device() })));
  socket.addEventListener("message", (event) => {
    const page = JSON.parse(event.data);
    tries = 0;
    if (page.pictures) Object.entries(page.pictures).forEach(([name, data]) => pictures.set(name, data));
    else if (page.asking) at("state").textContent = words.asking;
    else show(page);
  });
  socket.addEventListener("close", (event) => {
    const why = ENDED[event.code];
    at("state").textContent = why ? words[why] : words.lost;
    if (why !== "refused") setTimeout(connect, WAIT_MS[Math.min(tries++, WAIT_MS.length - 1)]);
  });
}

connect();
