import { createHmac, timingSafeEqual } from "node:crypto";

import { WebhookInvalid } from "./errors.js";

/**
 * Return the content of a webhook that Memsite has signed by the rules of Standard Webhooks.
 *
 * `body` is the text as it was received; `headers` is a `Headers` or an object with names in lower case.
 * Throws `WebhookInvalid` if it was signed by another secret, changed, or sent more than `tolerance` seconds ago.
 */
export function verify(body, headers, secret, { tolerance = 300, now = Date.now() / 1000 } = {}) {
  const [id, sentAt, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => {
    const value = typeof headers.get === "function" ? headers.get(name) : headers[name];
    if (!value) throw new WebhookInvalid(`the header ${name} is missing`);
    return value;
  });
  if (!/^\d+$/.test(sentAt) || Math.abs(now - Number(sentAt)) > tolerance) {
    throw new WebhookInvalid("the webhook is too old, or the clocks differ");
  }
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = Buffer.from(`v1,${createHmac("sha256", key).update(`${id}.${sentAt}.${body}`).digest("base64")}`);
  const isSigned = signatures.split(" ").some((given) => {
    const bytes = Buffer.from(given);
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
  if (!isSigned) throw new WebhookInvalid("the signature is not valid");
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new WebhookInvalid("the content is not JSON", { cause: error });
  }
}
