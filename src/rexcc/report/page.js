"use strict";
(() => {
  const all = (selector, inside = document) => Array.from(inside.querySelectorAll(selector));
  const articles = all(".construct");
  const field = document.getElementById("search");
  const hits = document.getElementById("hits");
  document.documentElement.classList.add("scripted");

  /* Lines that are one of the user's are marked together in all columns of a construct. */
  const alike = (line) => all(`.l[data-l="${line.dataset.l}"]`, line.closest(".construct") || document);
  let marked = [];
  const mark = (line) => {
    marked.forEach((one) => one.classList.remove("on"));
    marked = line && line.dataset.l ? alike(line) : [];
    marked.forEach((one) => one.classList.add("on"));
  };
  const lineOf = (event) => (event.target.closest ? event.target.closest(".l") : null);
  document.addEventListener("mouseover", (event) => mark(lineOf(event)));
  document.addEventListener("focusin", (event) => mark(lineOf(event)));

  /* A line that is chosen brings the others of its kind into sight, each in its own column. */
  const show = (line) => {
    const column = line.closest(".code");
    const seen = new Set([column]);
    for (const other of alike(line)) {
      const place = other.closest(".code");
      if (seen.has(place)) continue;
      seen.add(place);
      place.scrollTop += other.getBoundingClientRect().top - place.getBoundingClientRect().top - place.clientHeight / 3;
    }
  };
  document.addEventListener("click", (event) => {
    const line = lineOf(event);
    if (line && line.closest(".construct") && !event.target.closest("a") && !String(getSelection())) show(line);
  });

  /* Search: constructs without the words are hidden, lines with them are marked. */
  const texts = articles.map((article) => article.textContent.toLowerCase());
  const rows = all(".overview tbody tr");
  const rowOf = (article) => rows.find((row) => row.querySelector("a").getAttribute("href") === `#${article.id}`);
  const search = () => {
    const words = field.value.trim().toLowerCase();
    all(".here").forEach((line) => line.classList.remove("here"));
    let constructs = 0, lines = 0;
    articles.forEach((article, number) => {
      const found = texts[number].includes(words);
      article.classList.toggle("hidden", !found);
      const row = rowOf(article);
      if (row) row.classList.toggle("hidden", !found);
      constructs += found;
      if (found && words) {
        for (const line of all(".l, .remark, .findings li", article)) {
          if (line.textContent.toLowerCase().includes(words)) { line.classList.add("here"); lines += 1; }
        }
      }
    });
    hits.textContent = words ? `${constructs} of ${articles.length} constructs, ${lines} lines` : "";
  };
  if (field && articles.length) field.addEventListener("input", search);
  else if (field) {
    const entries = all("tbody tr");
    field.addEventListener("input", () => {
      const words = field.value.trim().toLowerCase();
      const found = entries.filter((row) => {
        const has = row.textContent.toLowerCase().includes(words);
        row.classList.toggle("hidden", !has);
        return has;
      });
      hits.textContent = words ? `${found.length} of ${entries.length} rows` : "";
    });
  }

  /* Keys. */
  const step = (by) => {
    const shown = articles.filter((article) => !article.classList.contains("hidden"));
    const tops = shown.map((article) => article.getBoundingClientRect().top);
    const here = 80;
    const next = by > 0 ? tops.findIndex((top) => top > here) : tops.findLastIndex((top) => top < here - 20);
    if (next >= 0) { shown[next].scrollIntoView(); shown[next].querySelector("h2 a").focus({ preventScroll: true }); }
  };
  const keys = { j: () => step(1), k: () => step(-1), o: () => document.getElementById("overview").scrollIntoView(), "/": () => field.focus() };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === field) {
      if (event.key === "Escape") { field.value = ""; field.dispatchEvent(new Event("input")); field.blur(); }
      return;
    }
    if (event.key in keys) { keys[event.key](); event.preventDefault(); }
  });

  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target && target.classList.contains("l")) { mark(target); show(target); }
})();
