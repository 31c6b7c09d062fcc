/** The page of the panel, inside of the frames that the workbench puts around it. */
export async function panelOf(workbench) {
  const outer = workbench.page.frameLocator('iframe.webview.ready');
  const inner = outer.frameLocator('iframe#active-frame');
  await inner.locator('#panel').waitFor();
  return inner;
}
