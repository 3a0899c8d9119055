import { expect, it } from 'vitest';
import { MIGRATIONS_FOLDER, readMigrations } from '../connection/migrate.ts';
import { splitScript } from './split-script.ts';

const cases: readonly [script: string, statements: readonly string[]][] = [
  ['select 1', ['select 1']],
  ['select 1;\nselect 2;\n', ['select 1', 'select 2']],
  ['-- one; two\nselect 1; /* three; */ select 2', ['select 1', 'select 2']],
  ["insert into t values ('a;b', 'it''s; so')", ["insert into t values ('a;b', 'it''s; so')"]],
  ['create table "a;b" (c int); select 1', ['create table "a;b" (c int)', 'select 1']],
  ['do $$ begin select 1; end $$; select 2', ['do $$ begin select 1; end $$', 'select 2']],
  ['do $x$ begin select $$;$$; end $x$; select $1', ['do $x$ begin select $$;$$; end $x$', 'select $1']],
  ['select 4 / 2 - 1; select 2', ['select 4 / 2 - 1', 'select 2']],
  [" ;; -- nothing's here", []],
];

it.each(cases)('%j', (script, statements) => {
  expect(splitScript(script)).toEqual(statements);
});

it('divides every migration into statements that begin with a verb', async () => {
  const statements = (await readMigrations(MIGRATIONS_FOLDER)).flatMap(({ sql }) => splitScript(sql));
  const verbs = /^(alter|create|delete|do|drop|insert|lock|update|with)\b/i;
  expect(statements.filter((text) => !verbs.test(text))).toEqual([]);
});
