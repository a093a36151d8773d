/** Styles of the header above the reference, in Scalar's colours. */
export const stylesheet = `
:root { color-scheme: light dark; }
body { margin: 0; font-family: system-ui, sans-serif; }
.top {
  position: sticky; top: 0; z-index: 10; box-sizing: border-box; height: 48px; padding: 0 16px;
  display: flex; align-items: center; gap: 12px; font-size: 14px;
  background: var(--scalar-background-1, Canvas); color: var(--scalar-color-1, CanvasText);
  border-bottom: 1px solid var(--scalar-border-color, GrayText);
}
.top strong { font-weight: 600; }
.top a { color: inherit; }
.top nav { margin-left: auto; display: flex; gap: 16px; }
body.host { display: flex; flex-direction: column; height: 100vh; }
body.host iframe { flex: 1; width: 100%; border: 0; }
noscript p { padding: 0 16px; }
`;
