import { acknowledged, asyncResponse } from '../../acknowledgement.ts';
import * as field from '../../fields.ts';
import { form, type Values } from '../../form.ts';
import { C1, defineOperation } from '../../operation.ts';

export const uploadMethodUrlResult = defineOperation({
  name: 'TDS_UPLOAD_METHOD_URL_RESULT',
  path: '/api/3ds/v1/upload-method-url-result',
  summary: "Report that the hidden method page was shown, with what is known of the payer's browser.",
  schema: 'TdsMethodUrlResultRequest',
  auth: C1,
  request: form({ ...field.threeDSecureUpload, ...field.methodUrlResult }),
  response: asyncResponse,
  handle: async ({ clientOrderId, orderId, ...values }, caller, gateway) =>
    acknowledged(await gateway.takeUpload({ kind: 'method', clientOrderId, orderId, ...methodResult(values) }, caller)),
});

function methodResult(values: Values<typeof field.methodUrlResult>) {
  const text = (value: unknown) => (value === undefined ? undefined : String(value));
  return {
    transactionId: values.threeDSServerTransactionId,
    completion: values.methodCompletion,
    browser: {
      acceptHeader: values.browserAcceptHeader,
      userAgent: values.browserUserAgent,
      language: values.browserLanguage,
      ip: values.browserIpAddress,
      javascriptEnabled: text(values.browserJavascriptEnabled),
      javaEnabled: text(values.browserJavaEnabled),
      colorDepth: text(values.browserColorDepth),
      screenHeight: text(values.browserScreenHeight),
      screenWidth: text(values.browserScreenWidth),
      timeZone: text(values.browserTimeZone),
    },
  };
}
