// The small part of XML that 3-D Secure 1.0.2 needs, read safely: elements, attributes and text within bounds. Document
// types, custom entities, comments, CDATA and processing instructions are refused, so that there is only one way to
// read a document.

export type Element = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
};

export class UnreadableXml extends Error {}

const MAX_CHARACTERS = 64 * 1024;
const MAX_DEPTH = 12;
const MAX_ELEMENTS = 200;

const DECLARATION = /^\uFEFF?\s*<\?xml\s[^<>?]*\?>/;
const NAME = '[A-Za-z_][A-Za-z0-9_.-]*';
const ATTRIBUTE = new RegExp(`\\s+(${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'y');
const OPENING = new RegExp(`<(${NAME})`, 'y');
const OPENING_END = /\s*(\/?)>/y;
const CLOSING = new RegExp(`</(${NAME})\\s*>`, 'y');
const TEXT = /[^<]+/y;

type Open = {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: (Element | string)[];
};

export function readXml(xml: string): Element {
  if (xml.length > MAX_CHARACTERS) throw new UnreadableXml('the document is too long');
  // XML parsers make one character of every line end.
  const source = xml.replace(DECLARATION, '').replaceAll('\r\n', '\n').replaceAll('\r', '\n').trim();
  const scanner = new Scanner(source);
  const open: Open[] = [];
  let elements = 0;
  for (;;) {
    const closing = scanner.take(CLOSING);
    const parent = open.at(-1);
    if (closing) {
      const ended = open.pop();
      if (!ended || ended.name !== closing[1]) throw new UnreadableXml('an end tag without its start');
      if (open.length === 0) return scanner.atEnd(ended);
      continue;
    }
    const text = parent && scanner.take(TEXT);
    if (text) {
      parent.children.push(unescaped(text[0]));
      continue;
    }
    const element = readOpening(scanner);
    elements += 1;
    if (elements > MAX_ELEMENTS || open.length >= MAX_DEPTH) throw new UnreadableXml('too many elements');
    parent?.children.push(element);
    if (!element.empty) open.push(element);
    else if (!parent) return scanner.atEnd(element);
  }
}

class Scanner {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    if (match) this.#at = pattern.lastIndex;
    return match;
  }

  atEnd(root: Open): Element {
    if (this.#at !== this.#source.length) throw new UnreadableXml('something follows the document');
    return root;
  }
}

function readOpening(scanner: Scanner): Open & { readonly empty: boolean } {
  const start = scanner.take(OPENING);
  if (!start) throw new UnreadableXml('only elements and text are taken');
  const attributes: Record<string, string> = {};
  for (let match = scanner.take(ATTRIBUTE); match; match = scanner.take(ATTRIBUTE)) {
    const [, name = '', double, single] = match;
    if (Object.hasOwn(attributes, name)) throw new UnreadableXml('an attribute is there twice');
    // A line break in an attribute is read as a blank, unless it is written as a character reference.
    attributes[name] = unescaped((double ?? single ?? '').replace(/[\t\n]/g, ' '));
  }
  const end = scanner.take(OPENING_END);
  if (!end) throw new UnreadableXml('a tag does not end');
  return { name: start[1] ?? '', attributes, children: [], empty: end[1] === '/' };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&([^;&]{0,8});?/g, (whole, name: string) => {
    const character = whole.endsWith(';') ? (ENTITIES[name] ?? numbered(name)) : undefined;
    if (character === undefined) throw new UnreadableXml('an entity is not known');
    return character;
  });
}

function numbered(name: string): string | undefined {
  const match = /^#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7}))$/.exec(name);
  const point = match?.[1] === undefined ? Number(match?.[2] ?? Number.NaN) : Number.parseInt(match[1], 16);
  const isCharacter =
    point === 9 ||
    point === 10 ||
    point === 13 ||
    (point >= 32 && point < 0xd800) ||
    (point > 0xdfff && point < 0xfffe);
  return isCharacter || (point > 0xffff && point <= 0x10ffff) ? String.fromCodePoint(point) : undefined;
}

// Reading values

export function elementsIn(parent: Element, name: string): Element[] {
  return parent.children.filter((child): child is Element => typeof child !== 'string' && child.name === name);
}

/** The only element of this name; two of them could be read two ways, so they are refused. */
export function elementIn(parent: Element, name: string): Element | undefined {
  const [first, second] = elementsIn(parent, name);
  if (second) throw new UnreadableXml(`${name} is there twice`);
  return first;
}

/** The text of the element at the end of the path, without white space around it. */
export function textIn(parent: Element, ...path: string[]): string | undefined {
  const element = path.reduce<Element | undefined>((at, name) => at && elementIn(at, name), parent);
  if (element?.children.some((child) => typeof child !== 'string')) {
    throw new UnreadableXml(`${element.name} must be a text`);
  }
  return element?.children.join('').trim();
}

// Writing

export function element(name: string, children: readonly (Element | string | undefined)[], attributes = {}): Element {
  return { name, attributes, children: children.filter((child) => child !== undefined) };
}

/** An element with this text, or undefined without a text. */
export function leaf(name: string, text: string | undefined): Element | undefined {
  return text === undefined ? undefined : element(name, [text]);
}

/**
 * Canonical XML (W3C, 15 March 2001) of what this file can read: attributes in order, no empty-element tags, fixed
 * escapes. The default name space that an element inherits is written on it, as the standard asks of the element where
 * a subset begins.
 */
export function canonicalXml(root: Element, inheritedNamespace?: string): string {
  const attributes =
    inheritedNamespace === undefined ? root.attributes : { xmlns: inheritedNamespace, ...root.attributes };
  const written = Object.entries(attributes)
    // A name space declaration comes before attributes.
    .sort(([a], [b]) => (a === 'xmlns' ? -1 : b === 'xmlns' ? 1 : a < b ? -1 : 1))
    .map(([name, value]) => ` ${name}="${escapedAttribute(value)}"`)
    .join('');
  const inside = root.children.map((child) => (typeof child === 'string' ? escapedText(child) : canonicalXml(child)));
  return `<${root.name}${written}>${inside.join('')}</${root.name}>`;
}

function escapedText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#xD;');
}

function escapedAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#x9;')
    .replaceAll('\n', '&#xA;')
    .replaceAll('\r', '&#xD;');
}
