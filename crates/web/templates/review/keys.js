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

  document.addEventListener("submit", (event) => {
    if (!leave()) event.preventDefault();
  });
  // A page that the browser kept is not what the ledger says now.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload();
  });

  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof Element && event.target.matches("input, textarea, select");
    if (typing) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || sent) return;
    const wanted = [...document.querySelectorAll("[data-key]")].find((found) => found.dataset.key.split(" ").includes(event.key));
    if (!wanted) return;
    event.preventDefault();
    if (wanted.matches("input, textarea")) {
      wanted.focus();
    } else if (performance.now() - shown >= unread) {
      wanted.click();
    }
  });
})();
