// `tender endpoint look`: how the hosted pages of an endpoint look.

import type { Command } from 'commander';
import type { LookView } from '../administration/looks.ts';
import { properties } from '../administration/verb/table.ts';
import { LANGUAGES, LOOK_TEXTS } from '../domain/merchant/look.ts';
import { administrationCommand, answerWith, type CommonValues, given, withExample } from './administration-command.ts';
import { readGivenFile } from './given-file.ts';
import { idOf } from './option-values.ts';

type LookValues = CommonValues & {
  readonly name?: string;
  readonly logo?: string;
  readonly accent?: string;
  readonly accentDark?: string;
  readonly background?: string;
  readonly intro?: string;
  readonly helpText?: string;
  readonly language?: string;
};

export function addLook(endpoint: Command): void {
  const look = administrationCommand(endpoint, 'look', 'show how the hosted pages of an endpoint look, or change it')
    .argument('<id>', 'its id', idOf)
    .option('--name <text>', "what the pages call the merchant, or none for the merchant's own name")
    .option('--logo <file>', 'a PNG, JPEG or WebP picture of at most 40 KiB, or none')
    .option('--accent <colour>', 'buttons and links, such as #2347c5, or none')
    .option('--accent-dark <colour>', 'the same on dark pages; a lighter accent when left out')
    .option('--background <colour>', 'behind everything, on light pages, or none')
    .option('--intro <text>', 'a line above the form, or none')
    .option('--help-text <text>', 'a line below the form: whom to ask, or none')
    .option('--language <code>', `the texts are for this language alone: ${LANGUAGES.join(', ')}`)
    .action(async (endpointId: number, values: LookValues) => {
      const changes = await changesIn(values);
      const isChanged = Object.keys(changes).length > 0;
      return answerWith(
        values,
        ({ ask }) => (isChanged ? ask('setLook', { endpointId, ...changes }) : ask('showLook', { endpointId })),
        told,
      );
    });
  withExample(look, "tender endpoint look 101 --name 'Ann’s Socks' --logo socks.png --accent '#0b6b3a'");
}

async function changesIn(values: LookValues) {
  const { name, logo, accent, accentDark, background, intro, helpText, language } = values;
  return given({
    name,
    logo: logo === undefined || logo === 'none' ? logo : await pictureIn(logo),
    accent,
    accentDark,
    background,
    intro,
    help: helpText,
    language,
  });
}

async function pictureIn(path: string): Promise<string> {
  return (await readGivenFile(path)).toString('base64');
}

function told({ endpointId, name, logo, accent, accentDark, background, texts }: LookView): string {
  const worded = LOOK_TEXTS.flatMap((which) =>
    Object.entries(texts?.[which] ?? {}).map(
      ([language, text]) => [`${which === 'intro' ? 'Intro' : 'Help'} (${language})`, text] as [string, string],
    ),
  );
  return properties([
    ['Endpoint', String(endpointId)],
    ['Name', name ?? "the merchant's"],
    ['Logo', logo ? `${logo.type} ${logo.digest}` : 'none'],
    ['Accent', accent ?? "Tender's"],
    ['Accent, dark', accentDark ?? 'from the accent'],
    ['Background', background ?? "Tender's"],
    ...worded,
  ]);
}
