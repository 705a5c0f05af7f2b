/** Any failure of the client. Catch this one to go on without memory. */
export class MemsiteError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** There is no answer, or not a whole one. */
export class ConnectionFailed extends MemsiteError {}

/** The answer is not one of Memsite's. */
export class UnexpectedAnswer extends MemsiteError {}

/** The webhook's signature, time or content is not valid. */
export class WebhookInvalid extends MemsiteError {}

/** Memsite refused the request; `code` is the API's, such as `not_found`. */
export class AnswerError extends MemsiteError {
  constructor(status, body, retryAfter) {
    super(`${body?.message ?? "the server refused the request"} (${status} ${body?.code ?? ""})`);
    this.status = status;
    this.code = body?.code ?? "";
    this.detail = body?.detail ?? null;
    this.retryAfter = retryAfter;
  }
}
