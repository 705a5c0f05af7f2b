// Suggest owners' names in the filter of a list of the admin, while a name is typed.
"use strict";

const PAUSE = 200; // ms after the last key

function suggestNames(field) {
  const names = field.list;
  let timer = 0;
  let latest = 0;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const turn = ++latest;
      const url = `${field.dataset.suggestions}?q=${encodeURIComponent(field.value)}`;
      const answer = await fetch(url, { headers: { Accept: "application/json" } }).catch(() => null);
      if (!answer?.ok || turn !== latest) return;
      const found = (await answer.json()).names;
      names.replaceChildren(...found.map((name) => Object.assign(document.createElement("option"), { value: name })));
    }, PAUSE);
  });
}

for (const field of document.querySelectorAll("[data-suggestions]")) suggestNames(field);
