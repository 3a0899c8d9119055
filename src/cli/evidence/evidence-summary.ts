// The first page of an evidence pack, for people.

import type { EvidenceLine } from './evidence-folder.ts';

export type EvidenceFacts = {
  readonly at: string;
  readonly version: string;
  readonly node: string;
  readonly mode: string;
  readonly host: string;
  readonly askedBy: string;
  readonly publicAddress: string | null;
};

export function evidenceSummary(facts: EvidenceFacts, lines: readonly EvidenceLine[]): string {
  const bad = lines.filter(({ ok }) => !ok);
  return `# Evidence of a Tender gateway

| | |
|---|---|
| Made at | ${facts.at} |
| Version | Tender ${facts.version}, Node ${facts.node} |
| Mode | ${facts.mode} |
| Address | ${facts.publicAddress ?? 'no gateway was running'} |
| Machine | ${cell(facts.host)} |
| Asked for by | ${cell(facts.askedBy)} |
| Result | ${bad.length === 0 ? 'nothing in it is bad' : `bad: ${bad.map(({ file }) => file).join(', ')}`} |

| File | Good | What it tells |
|---|---|---|
${lines.map(({ file, ok, says }) => `| ${file} | ${ok ? 'yes' : 'NO'} | ${cell(says)} |`).join('\n')}

The files tell what this gateway knows of itself at that moment. They hold no secrets, but names of people and
merchants: keep them as you keep other papers of the assessment. \`docs/pci-dss.md\` says which requirement each file
belongs to.
`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
