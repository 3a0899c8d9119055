import * as field from '../../fields.ts';
import { form } from '../../form.ts';
import { C1, defineOperation } from '../../operation.ts';
import { asyncResponse } from '../../responses.ts';

export const uploadMethodUrlResult = defineOperation({
  name: 'TDS_UPLOAD_METHOD_URL_RESULT',
  path: '/api/3ds/v1/upload-method-url-result',
  summary: "Report that the hidden method page was shown, with what is known of the payer's browser.",
  schema: 'TdsMethodUrlResultRequest',
  auth: C1,
  request: form({ ...field.threeDSecureUpload, ...field.methodUrlResult }),
  response: asyncResponse,
});
