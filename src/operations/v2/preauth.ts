import { browserComplete, cardNotExpired } from '../checks.ts';
import * as field from '../fields.ts';
import { form } from '../form.ts';
import { C5, defineOperation } from '../operation.ts';
import { asyncResponse } from '../responses.ts';

export const preauth = defineOperation({
  name: 'PREAUTH',
  path: '/api/v2/preauth',
  summary: "Hold an amount on a payer's card, to be captured or released later.",
  schema: 'AuthRequest',
  auth: C5,
  request: form(
    { ...field.order, ...field.payer, ...field.card, ...field.links, control: field.control },
    cardNotExpired,
    browserComplete,
  ),
  response: asyncResponse,
});
