/** Yield the server-sent events of a body: `{name, data, id, retry}`; without a name for a number alone. */
export async function* readEvents(body) {
  const decoder = new TextDecoder();
  let rest = "";
  let event = emptyEvent();
  for await (const piece of body) {
    rest += decoder.decode(piece, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (line === "" || line === "\r") {
        if (event.lines.length > 0 || event.id !== null || event.retry !== null) {
          yield { name: event.name, data: event.lines.join("\n"), id: event.id, retry: event.retry };
        }
        event = emptyEvent();
      } else {
        take(event, line.endsWith("\r") ? line.slice(0, -1) : line);
      }
    }
  }
}

function emptyEvent() {
  return { name: "", lines: [], id: null, retry: null };
}

function take(event, line) {
  const colon = line.indexOf(":");
  const field = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
  if (field === "event") event.name = value;
  else if (field === "data") event.lines.push(value);
  else if (field === "id") event.id = value;
  else if (field === "retry" && /^\d+$/.test(value)) event.retry = Number(value);
}
