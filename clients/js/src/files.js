import { AnswerError } from "./errors.js";

const ROOT = "/memories";
const MOST_CHARACTERS = 60_000;
const MOST_CONTENT = 20_000;
const LISTING_LEVELS = 2;

/** A command that cannot be done; the message is for the model. */
export class FileError extends Error {}

/** Return `{path: {memory, text}}` of all files: each is one memory, whose metadata hold its path and exact text. */
export async function loadFiles(memsite) {
  const files = new Map();
  const query = { predicate: "file", status: ["active", "pending", "disputed"] };
  for await (const memory of memsite.memories.all(query)) {
    const { path, text } = memory.metadata;
    if (typeof path === "string" && typeof text === "string" && !files.has(path)) files.set(path, { memory, text });
  }
  return files;
}

/** Do a command of Claude's memory tool and return the answer for the model. */
export async function doCommand(memsite, command) {
  const act = COMMANDS[command.command];
  if (act === undefined) throw new FileError(`Unknown command: ${command.command}`);
  const files = await loadFiles(memsite);
  const { answer, changes = [] } = act(files, command);
  let isRedacted = false;
  for (const change of changes) isRedacted = (await apply(memsite, files, change)) || isRedacted;
  return isRedacted ? `${answer} Secrets in it were left out: memory does not keep them.` : answer;
}

async function apply(memsite, files, { path, text, newPath = path }) {
  const memory = files.get(path)?.memory;
  if (text === null) {
    await memsite.memories.forget(memory.id);
    return false;
  }
  if (text.length > MOST_CHARACTERS) {
    throw new FileError(`${newPath} is too large: a file has at most ${MOST_CHARACTERS} characters`);
  }
  const content = `${newPath}\n${text}`.slice(0, MOST_CONTENT);
  const fields = { subject: newPath, predicate: "file", metadata: { path: newPath, text } };
  try {
    const written = memory
      ? await memsite.memories.change(memory.id, content.trim() === memory.content.trim() ? fields : { content, ...fields })
      : await memsite.memories.add(content, { ...fields, category: "file", lifespan: "core" });
    if (written.memory.metadata.path !== newPath) {
      throw new FileError(`${newPath} could not be stored: another file is too similar`);
    }
    return written.memory.metadata.text !== text;
  } catch (error) {
    if (error instanceof AnswerError && [400, 409, 422].includes(error.status)) {
      throw new FileError(`${newPath} was not stored: ${error.message}`);
    }
    throw error;
  }
}

// Each command: from the files and the command to an answer and changes, worded as Anthropic's own tool words them.

const COMMANDS = { view, create, str_replace: replace, insert, delete: remove, rename };

function view(files, command) {
  const path = normalise(command.path);
  if (files.has(path)) return { answer: viewFile(files.get(path).text, command) };
  if (path !== ROOT && below(files, path).length === 0) {
    throw new FileError(`The path ${command.path} does not exist. Please provide a valid path.`);
  }
  const header = `Here're the files and directories up to 2 levels deep in ${command.path}, excluding hidden items:`;
  const lines = listing(files, path, 1).map(([name, size]) => `${size}\t${command.path}/${name}`);
  return { answer: [header, `${directorySize(files, path)}\t${command.path}`, ...lines].join("\n") };
}

function create(files, command) {
  const path = normalise(command.path);
  if (exists(files, path)) throw new FileError(`File ${command.path} already exists`);
  if (hasFileAbove(files, path)) throw new FileError(`A part of the path ${command.path} is a file`);
  return { answer: `File created successfully at: ${command.path}`, changes: [{ path, text: command.file_text }] };
}

function replace(files, command) {
  const path = fileAt(files, command.path);
  const { text } = files.get(path);
  const places = occurrences(text, command.old_str);
  if (places.length === 0) {
    throw new FileError(
      `No replacement was performed, old_str \`${command.old_str}\` did not appear verbatim in ${command.path}.`,
    );
  }
  if (text.split(command.old_str).length > 2) {
    const lines = places.map((place) => lineOf(text, place)).join(", ");
    throw new FileError(
      `No replacement was performed. Multiple occurrences of old_str \`${command.old_str}\` in lines: ${lines}. Please ensure it is unique`,
    );
  }
  const changed = lineOf(text, places[0]) - 1;
  const after = text.slice(0, places[0]) + command.new_str + text.slice(places[0] + command.old_str.length);
  const first = Math.max(0, changed - 2);
  const snippet = numbered(after.split("\n").slice(first, changed + 3), first + 1);
  const answer = "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n";
  return { answer: answer + snippet, changes: [{ path, text: after }] };
}

function insert(files, command) {
  const path = fileAt(files, command.path);
  const lines = files.get(path).text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const place = command.insert_line;
  if (!(place >= 0 && place <= lines.length)) {
    throw new FileError(
      `Invalid \`insert_line\` parameter: ${place}. It should be within the range [0, ${lines.length}].`,
    );
  }
  lines.splice(place, 0, command.insert_text.replace(/\n+$/, ""));
  const joined = lines.join("\n");
  const text = joined.endsWith("\n") ? joined : `${joined}\n`;
  return { answer: `The file ${command.path} has been edited.`, changes: [{ path, text }] };
}

function remove(files, command) {
  const path = normalise(command.path);
  if (path === ROOT) throw new FileError(`Cannot delete the ${ROOT} directory itself`);
  const doomed = files.has(path) ? [path] : below(files, path);
  if (doomed.length === 0) throw new FileError(`The path ${command.path} does not exist`);
  return { answer: `Successfully deleted ${command.path}`, changes: doomed.map((one) => ({ path: one, text: null })) };
}

function rename(files, command) {
  const [from, to] = [normalise(command.old_path), normalise(command.new_path)];
  if (from === ROOT) throw new FileError(`Cannot rename the ${ROOT} directory itself`);
  if (exists(files, to)) throw new FileError(`The destination ${command.new_path} already exists`);
  const moved = files.has(from) ? [from] : below(files, from);
  if (moved.length === 0) throw new FileError(`The path ${command.old_path} does not exist`);
  if (hasFileAbove(files, to) || to.startsWith(`${from}/`)) {
    throw new FileError(`${command.old_path} cannot be moved to ${command.new_path}`);
  }
  const changes = moved.map((path) => ({ path, text: files.get(path).text, newPath: to + path.slice(from.length) }));
  return { answer: `Successfully renamed ${command.old_path} to ${command.new_path}`, changes };
}

function normalise(path) {
  if (path !== ROOT && !path.startsWith(`${ROOT}/`)) throw new FileError(`Path must start with ${ROOT}, got: ${path}`);
  const parts = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const plain = `/${parts.join("/")}`;
  if (plain !== ROOT && !plain.startsWith(`${ROOT}/`)) {
    throw new FileError(`Path ${path} would escape ${ROOT} directory`);
  }
  if (plain.length > 255 || plain.includes("\0")) throw new FileError("The path is not a valid path");
  return plain;
}

function below(files, directory) {
  return [...files.keys()].filter((path) => path.startsWith(`${directory}/`));
}

function exists(files, path) {
  return path === ROOT || files.has(path) || below(files, path).length > 0;
}

function fileAt(files, path) {
  const plain = normalise(path);
  if (files.has(plain)) return plain;
  if (exists(files, plain)) throw new FileError(`The path ${path} is not a file.`);
  throw new FileError(`The path ${path} does not exist. Please provide a valid path.`);
}

function hasFileAbove(files, path) {
  const parts = path.split("/");
  return parts.some((_, count) => files.has(parts.slice(0, count).join("/")));
}

function listing(files, directory, level) {
  const names = new Set(below(files, directory).map((path) => path.slice(directory.length + 1).split("/")[0]));
  return [...names].sort().flatMap((name) => {
    if (name.startsWith(".")) return [];
    const path = `${directory}/${name}`;
    if (files.has(path)) return [[name, sizeOf(bytes(files.get(path).text))]];
    const inner = level < LISTING_LEVELS ? listing(files, path, level + 1) : [];
    return [[`${name}/`, directorySize(files, path)], ...inner.map(([one, size]) => [`${name}/${one}`, size])];
  });
}

function viewFile(text, command) {
  const lines = text.split("\n");
  const [start, end] = command.view_range?.length === 2 ? command.view_range : [1, -1];
  const first = Math.max(1, start) - 1;
  const shown = lines.slice(first, end === -1 ? lines.length : end);
  return `Here's the content of ${command.path} with line numbers:\n${numbered(shown, first + 1)}`;
}

function numbered(lines, first) {
  return lines.map((line, place) => `${String(first + place).padStart(6)}\t${line}`).join("\n");
}

function occurrences(text, part) {
  const places = [];
  for (let place = text.indexOf(part); place >= 0; place = text.indexOf(part, place + 1)) {
    places.push(place);
    if (part === "" && place === text.length) break;
  }
  return places;
}

function lineOf(text, place) {
  return text.slice(0, place).split("\n").length;
}

function bytes(text) {
  return new TextEncoder().encode(text).length;
}

function directorySize(files, directory) {
  return sizeOf(below(files, directory).reduce((sum, path) => sum + bytes(files.get(path).text), 0));
}

function sizeOf(count) {
  const step = count === 0 ? 0 : Math.min(3, Math.floor(Math.log2(count) / 10));
  const size = count / 1024 ** step;
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${"BKMG"[step]}`;
}
