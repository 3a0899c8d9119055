// What a browser tells about itself for 3-D Secure: some facts come from its headers, others from its script if it runs
// one.

import type { IncomingHttpHeaders } from 'node:http';
import * as field from '../../operations/fields.ts';
import { form, onlyGiven, type Parameters, readForm } from '../../operations/form.ts';

const { browserInfo: _, ...facts } = field.browser;
const browser = form(facts);

export function browserOf(sent: Parameters, headers: IncomingHttpHeaders): Record<string, string> {
  const language = sent.get('browser_language') ?? headers['accept-language']?.split(/[,;]/, 1)[0]?.trim();
  const told: Record<string, string | undefined> = {
    customer_browser_accept_header: headers.accept?.slice(0, 2048),
    customer_browser_user_agent: headers['user-agent']?.slice(0, 2048),
    customer_browser_language: language,
    customer_browser_javascript_enabled: String(sent.has('browser_screen_width')),
    customer_browser_java_enabled: sent.get('browser_java_enabled') ?? 'false',
    customer_browser_color_depth: sent.get('browser_color_depth'),
    customer_browser_screen_height: sent.get('browser_screen_height'),
    customer_browser_screen_width: sent.get('browser_screen_width'),
    customer_browser_time_zone: sent.get('browser_time_zone'),
  };
  const known = Object.entries(told).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '',
  );
  // Unreadable facts are left out: a strange browser must not keep its payer from paying.
  const { values } = readForm(browser, new Map(known), { now: 0 });
  return Object.fromEntries(Object.entries(onlyGiven(values)).map(([name, value]) => [name, String(value)]));
}
