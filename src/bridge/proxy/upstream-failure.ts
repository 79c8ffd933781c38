/** Failures of a connection by their code, each with what to do about it. */
const failures: readonly (readonly [code: RegExp, explain: (host: string) => string])[] = [
  [
    /^(?:ENOTFOUND|EAI_\w+)$/u,
    (host) => `No server has the name ${host}. Check the network and the address of the upstream.`,
  ],
  [
    /^ECONNREFUSED$/u,
    (host) => `Nothing answers at ${host}. Start the server or correct the address of the upstream.`,
  ],
  [
    /^(?:E(?:HOST|NET)UNREACH|ENETDOWN|ETIMEDOUT)$/u,
    (host) => `${host} cannot be reached. Check the network and the settings of the proxy in between.`,
  ],
  [
    /^ERR_PROXY_\w+$/u,
    (host) =>
      `The proxy in HTTPS_PROXY did not connect to ${host}. Correct the variable, or name the host in NO_PROXY.`,
  ],
  [
    /^(?:CERT_\w+|ERR_TLS_CERT\w+|(?:DEPTH_ZERO_)?SELF_SIGNED_\w+|UNABLE_TO_\w+)$/u,
    (host) =>
      `The certificate of ${host} is not accepted. If a company's own authority issued it, name the authority's file in NODE_EXTRA_CA_CERTS and start again.`,
  ],
  [
    /^(?:EPROTO|ERR_SSL_\w+)$/u,
    (host) =>
      `${host} does not speak TLS as expected. Check if the address of the upstream begins with the right scheme.`,
  ],
  [
    /^HPE_\w+$/u,
    (host) => `${host} sent an answer that is not valid HTTP. Check the address and port of the upstream.`,
  ],
  [
    /^(?:ECONNRESET|EPIPE)$/u,
    (host) => `${host} closed the connection without an answer. Send the request again.`,
  ],
];

/**
 * Returns the reason why no response came, and what to do, in one line: for the log and, in the form of its API, for
 * the client. It contains nothing of the request, and of the answer only a code.
 */
export function explainUpstreamFailure(error: unknown, host: string): string {
  const code = codeOf(error);
  const explain = failures.find(([pattern]) => pattern.test(code))?.[1];
  const reason =
    explain?.(host) ?? `The request to ${host} failed. Check the network and the address of the upstream.`;
  return code === '' ? reason : `${reason} (${code})`;
}

/** Returns the code of an error. If a name has several addresses, the error contains one for each of them. */
function codeOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
  const code: unknown = first instanceof Error ? Reflect.get(first, 'code') : undefined;
  return typeof code === 'string' && /^\w{1,60}$/u.test(code) ? code : '';
}
