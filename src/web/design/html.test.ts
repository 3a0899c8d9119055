import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributes, html } from './html.ts';

describe('a page', () => {
  it('escapes whatever is put into it', () => {
    expect(html`<p title="${'"><script>'}">${"<b>&'</b>"}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;script&gt;">&lt;b&gt;&amp;&#39;&lt;/b&gt;</p>',
    );
  });

  it('takes pieces of pages as they are, lists one after the other, and leaves out what is not there', () => {
    const items = ['a', '<'].map((one) => html`<li>${one}</li>`);
    expect(html`<ul>${items}</ul>${undefined}${false}${0}`.text).toBe('<ul><li>a</li><li>&lt;</li></ul>0');
  });

  it('writes attributes', () => {
    expect(
      html`<input${attributes({ name: 'a"b', required: true, disabled: false, value: undefined, size: 4 })}>`.text,
    ).toBe('<input name="a&quot;b" required size="4">');
  });

  it('lets no text become markup', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(html`${text}`.text).not.toMatch(/[<>"']/);
      }),
    );
  });
});
