// What the documentation does where scripts run: it finds pages, opens the menu on phones, copies code, shows examples
// in one language at a time and sends what "Try it" holds. Every page can be read without scripts.

import { offerCopies } from './docs/copies.ts';
import { chooseLanguages } from './docs/languages.ts';
import { openMenu } from './docs/menu.ts';
import { offerSearch } from './docs/search.ts';
import { offerTry } from './docs/try-it.ts';

const root = document.body.dataset.root ?? './';

openMenu();
chooseLanguages();
offerCopies();
offerSearch(root);
for (const section of document.querySelectorAll<HTMLElement>('[data-try]')) void offerTry(section, root);
