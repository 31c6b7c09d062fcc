const FOCUSABLE =
  'select, button, input, textarea, a[href], summary, vscode-button, vscode-toolbar-button, vscode-tab-header[tabindex="0"], [tabindex="0"]';

/**
 * Keeps the keyboard where it was when what has the focus goes away: a button that others take the place of, a diagram
 * that is drawn anew. The focus goes to the first stop in the nearest part around it that is still there. Without this
 * it would be nowhere, and the next Tab would start at the top.
 */
export function keepFocus(root: HTMLElement): void {
  let last: Element | undefined;
  let around: Element[] = [];
  root.addEventListener('focusin', ({ target }) => {
    last = target as Element;
    around = [];
    for (let each = last.parentElement; each !== null; each = each.parentElement) around.push(each);
  });
  root.addEventListener('focusout', ({ target }) => {
    // What goes away loses the focus too, while it is still there: a moment later it is not.
    queueMicrotask(() => {
      if (target === last && last.isConnected) last = undefined;
    });
  });
  new MutationObserver(() => {
    if (last === undefined || last.isConnected) return;
    last = undefined;
    // Components that have just come can take the focus once they have drawn themselves.
    setTimeout(() => restore(around));
  }).observe(root, { childList: true, subtree: true });
}

function restore(around: readonly Element[]): void {
  // The editor has the focus now, or the user has gone on.
  if (!document.hasFocus() || document.activeElement !== document.body) return;
  for (const each of around) {
    if (!each.isConnected) continue;
    const inside = each.querySelectorAll<HTMLElement>(FOCUSABLE);
    for (const stop of each instanceof HTMLElement && each.matches(FOCUSABLE) ? [...inside, each] : inside) {
      stop.focus();
      if (document.activeElement === stop) return;
    }
  }
}
