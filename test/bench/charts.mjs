// Bars as SVG, readable in light and dark, by hand: a title, a line for each bar with its name, and its figure at the
// end.

const WIDTH = 760;
const LABELS = 250;
const FIGURES = 90;
const LINE = 26;
const TOP = 40;
const BAR = 14;

const STYLE = `.bg{fill:#ffffff}text{font:13px system-ui,sans-serif;fill:#1a1d26}.title{font-weight:600;font-size:15px}
.bar{fill:#2347c5}.mark{fill:#80879a}line{stroke:#d9dce4}
@media (prefers-color-scheme:dark){.bg{fill:#1b1f2a}text{fill:#f1f3f8}.bar{fill:#9db4ff}.mark{fill:#7d869b}
line{stroke:#323848}}`;

/** `bars` have a name, a value, the text of the figure, and perhaps `isMark`: something to compare with. */
export function barChart({ title, bars }) {
  const most = Math.max(...bars.map(({ value }) => value).filter(Number.isFinite), Number.MIN_VALUE);
  const height = TOP + bars.length * LINE + 12;
  const lines = bars.map(({ name, value, figure, isMark }, index) => {
    const y = TOP + index * LINE;
    const length = Math.max(1, Math.round(((WIDTH - LABELS - FIGURES) * Math.max(0, value || 0)) / most));
    return [
      `<text x="${LABELS - 10}" y="${y + 12}" text-anchor="end">${escaped(name)}</text>`,
      `<rect class="${isMark ? 'mark' : 'bar'}" x="${LABELS}" y="${y}" width="${length}" height="${BAR}" rx="2"/>`,
      `<text x="${LABELS + length + 8}" y="${y + 12}">${escaped(figure)}</text>`,
    ].join('');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escaped(title)}</title><style>${STYLE}</style>`,
    `<rect class="bg" width="${WIDTH}" height="${height}" rx="8"/>`,
    `<text class="title" x="10" y="22">${escaped(title)}</text>`,
    `<line x1="${LABELS}" y1="${TOP - 6}" x2="${LABELS}" y2="${height - 8}"/>`,
    ...lines,
    '</svg>\n',
  ].join('\n');
}

function escaped(text) {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
