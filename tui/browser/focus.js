// Keys go to the review as soon as it is drawn, without a click.
const waiting = new MutationObserver(() => {
  const field = document.querySelector(".xterm-helper-textarea");
  if (field && document.body.classList.contains("-first-byte")) {
    waiting.disconnect();
    field.focus();
  }
});
waiting.observe(document, { subtree: true, childList: true, attributes: true });
