/** Exports in protobuf, as the serialiser of OpenTelemetry's SDK for JavaScript (0.223.1) wrote them. */

/** A request to a model with its reply, in one span. */
export const exportedSpans = Buffer.from(
  [
    'Cs0ECiMKHwoMc2VydmljZS5uYW1lEg8KDXdlYXRoZXItYWdlbnQQABKlBAoDCgF0Ep0EChAK92UZFs1D3YRI6yEcgDGcEgi3rWtx',
    'aSAzMSoGY2hhdCB4MAE5wNQB/04C7BhB2BYK/04C7BhKHwoVZ2VuX2FpLm9wZXJhdGlvbi5uYW1lEgYKBGNoYXRKJQoUZ2VuX2Fp',
    'LnJlcXVlc3QubW9kZWwSDQoLZ3B0LTRvLW1pbmlKJwoaZ2VuX2FpLnJlcXVlc3QudGVtcGVyYXR1cmUSCSEAAAAAAADgP0ogChln',
    'ZW5fYWkudXNhZ2UuaW5wdXRfdG9rZW5zEgMYrAJKIAoaZ2VuX2FpLnVzYWdlLm91dHB1dF90b2tlbnMSAhgFSiwKHmdlbl9haS5y',
    'ZXNwb25zZS5maW5pc2hfcmVhc29ucxIKKggKBgoEc3RvcEobChVnZW5fYWkucmVxdWVzdC5zdHJlYW0SAhABSm8KFWdlbl9haS5p',
    'bnB1dC5tZXNzYWdlcxJWClRbeyJyb2xlIjoidXNlciIsInBhcnRzIjpbeyJ0eXBlIjoidGV4dCIsImNvbnRlbnQiOiJXaWUgaXN0',
    'IGRhcyBXZXR0ZXIgaW4gS8O2bG4/In1dfV1KYgoWZ2VuX2FpLm91dHB1dC5tZXNzYWdlcxJICkZbeyJyb2xlIjoiYXNzaXN0YW50',
    'IiwicGFydHMiOlt7InR5cGUiOiJ0ZXh0IiwiY29udGVudCI6IlN1bm55IOKYgCJ9XX1dUABgAHAAegIYAIUBAQEAAA==',
  ].join(''),
  'base64',
);

/** Two log records, one with the message and one with the reply. */
export const exportedLogs = Buffer.from(
  [
    'CtUCCiMKHwoMc2VydmljZS5uYW1lEg8KDXdlYXRoZXItYWdlbnQQABKtAgoDCgFsEnEJQLy/AU8C7BgqFzIVChMKB2NvbnRlbnQS',
    'CAoGSGVsbG8/MhkKDWdlbl9haS5zeXN0ZW0SCAoGb3BlbmFpMhIKCnNlc3Npb24uaWQSBAoCczE4AFlAvL8BTwLsGGITZ2VuX2Fp',
    'LnVzZXIubWVzc2FnZRKyAQnAiMYDTwLsGCpeMlwKCwoFaW5kZXgSAhgAChcKDWZpbmlzaF9yZWFzb24SBgoEc3RvcAo0CgdtZXNz',
    'YWdlEikyJwoTCgRyb2xlEgsKCWFzc2lzdGFudAoQCgdjb250ZW50EgUKA0hpLjIZCg1nZW5fYWkuc3lzdGVtEggKBm9wZW5haTIS',
    'CgpzZXNzaW9uLmlkEgQKAnMxOABZwIjGA08C7BhiDWdlbl9haS5jaG9pY2U=',
  ].join(''),
  'base64',
);
