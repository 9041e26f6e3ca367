// Keys press the buttons that show them. Without this script the buttons work as they are.
"use strict";
(() => {
  // A key that is pressed twice in haste reaches the next page before anybody has read it.
  const unread = 300;
  const shown = performance.now();
  let sent = false;

  const leave = () => {
    if (sent) return false;
    sent = true;
    for (const button of document.querySelectorAll("button")) button.setAttribute("aria-disabled", "true");
    return true;
  };

  // Whether the query's words are underlined holds for all pairs of this window.
  const words = "llull-plain-words";
  const stored = () => { try { return sessionStorage.getItem(words); } catch { return null; } };
  const underline = (plain) => document.body.classList.toggle("plain", plain);
  underline(stored() === "1");

  document.addEventListener("submit", (event) => {
    if (!leave()) event.preventDefault();
  });
  // A page that the browser kept is not what the ledger says now.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload();
  });

  const close = (all) => { for (const open of all) open.open = false; };
  const isFor = (found, key) => found.dataset.key.split(" ").includes(key)
    // What is folded has no key.
    && (found.matches("summary") || !found.closest("details:not([open])"));

  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof Element && event.target.matches("input, textarea, select");
    if (event.key === "Escape") {
      if (typing) event.target.blur();
      close(document.querySelectorAll(".keys[open], .undo[open]"));
      return;
    }
    if (typing) return;
    if (event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || sent) return;
    if (event.key === "w") {
      const plain = underline(!document.body.classList.contains("plain"));
      try { sessionStorage.setItem(words, plain ? "1" : "0"); } catch { /* It holds for this page alone. */ }
      return;
    }
    // The field for a number is among the keys.
    if (event.key === "g") for (const keys of document.querySelectorAll(".keys")) keys.open = true;
    const wanted = [...document.querySelectorAll("[data-key]")].find((found) => isFor(found, event.key));
    if (!wanted) return;
    event.preventDefault();
    if (wanted.matches("input, textarea")) {
      wanted.focus();
    } else if (performance.now() - shown >= unread) {
      wanted.click();
      // The question whether to undo is answered by Enter.
      if (wanted.matches(".undo > summary")) wanted.parentElement.querySelector("button").focus();
    }
  });
})();
