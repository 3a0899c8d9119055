import { describe, expect, it } from 'vitest';
import { highlighted } from './highlight.ts';
import { renderMarkdown } from './markdown.ts';

const rendered = (text: string) =>
  renderMarkdown({
    source: 'docs/guides/sandbox.md',
    text,
    root: '../',
    pageOf: (file, anchor) => (file === 'docs/glossary.md' ? `glossary${anchor && `#${anchor}`}` : undefined),
    insert: (comment) => (comment === 'try: SALE' ? '<form></form>' : undefined),
  });

describe('Markdown as a page', () => {
  it.each([
    ['[words](../glossary.md#order)', '<a href="../glossary#order">words</a>'],
    ['[vectors](../../test/vectors)', '<p>vectors</p>'],
    ['[here](#there)', '<a href="#there">here</a>'],
    ['<https://example.com/>', '<a href="https://example.com/">'],
    ['<script>alert(1)</script>', '&lt;script&gt;'],
    ['a <b onclick="x">', 'a &lt;b onclick=&quot;x&quot;&gt;'],
    ['<!-- try: SALE -->', '<form></form>'],
    ['## What *is* it?', '<h2 id="what-is-it">'],
    ['## One\n\n## One', '<h2 id="one-1">'],
    ['| |\n|---|\n| a |', '<table><tbody>'],
    ['```sh\nls # "x"\n```', '<span class="comment"># &quot;x&quot;</span>'],
  ])('%j has %s', (text, part) => {
    expect(rendered(text).body).toContain(part);
  });

  it('takes the first heading as its title, and other comments out', () => {
    const { title, body, headings } = rendered('<!-- Printed. -->\n\n# The `sandbox`\n\n## Start\n');
    expect([title, headings]).toEqual(['The sandbox', [{ id: 'start', text: 'Start', depth: 2 }]]);
    expect(body).not.toMatch(/Printed|<h1/);
  });
});

describe('code in colours', () => {
  it.each([
    ['sh', `echo "a b" # c`, 'echo <span class="string">&quot;a b&quot;</span> <span class="comment"># c</span>'],
    ['ts', `f('<') // a`, 'f(<span class="string">&#39;&lt;&#39;</span>) <span class="comment">// a</span>'],
    ['text', `'<' # a`, '&#39;&lt;&#39; # a'],
    ['sh', 'url#anchor', 'url#anchor'],
  ])('in %s, %j', (language, code, markup) => {
    expect(highlighted(code, language)).toBe(markup);
  });
});
