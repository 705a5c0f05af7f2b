"""How each agent is called with one sentence, by the recipe of docs/programs.md."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.programs.installed import PROGRAMS, find_node, find_node_version, find_python_version
from tests.programs.running_site import ROOT, RunningSite

SCRIPTS = ROOT / "tests" / "programs" / "v1"
NODE_MODULES = PROGRAMS / "agents" / "node_modules"
OPTIONS_OF_AIDER = (
    *("--no-check-update", "--no-show-model-warnings", "--analytics-disable", "--yes-always", "--no-pretty"),
)


@dataclass(frozen=True)
class Call:
    """A command line, and the variables that it needs."""

    command: Sequence[object]
    variables: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class AgentProgram:
    """An agent.

    Attributes:
        name: As docs/programs.md calls it.
        package: Its package, whose version is reported.
        python: The interpreter that has it; None for a package of Node.
        prepare: Writes its configuration into a folder, and returns how it is called with a sentence.
        cat: The name that the person of its test gives a cat.
    """

    name: str
    package: str
    prepare: Callable[[RunningSite, Path, str], Call]
    cat: str
    python: Path | None = None

    @property
    def is_installed(self) -> bool:
        """Whether `make test-programs` could install it."""
        return bool(self.find_version())

    def find_version(self) -> str:
        """Return its version; empty if it is not installed."""
        if self.python is not None:
            return find_python_version(self.package, self.python) if self.python.exists() else ""
        is_there = (NODE_MODULES / self.package / "package.json").exists()
        return find_node_version("agents", self.package) if is_there else ""


def _python(name: str) -> Path:
    return PROGRAMS / name / "bin" / "python"


def _ask_by_script(name: str) -> Callable[[RunningSite, Path, str], Call]:
    def prepare(site: RunningSite, _folder: Path, text: str) -> Call:
        return Call([_python(name), SCRIPTS / "python" / f"ask_{name}.py", site.url, site.key, text])

    return prepare


def _prepare_codex(site: RunningSite, folder: Path, text: str) -> Call:
    configuration = f"""
model = "memsite"
model_provider = "memsite"

[model_providers.memsite]
name = "Memsite"
base_url = "{site.url}/v1"
env_key = "MEMSITE_KEY"
wire_api = "responses"
"""
    (folder / "config.toml").write_text(configuration, encoding="utf-8")
    (folder / "AGENTS.md").write_text("Use tabs.\n", encoding="utf-8")
    command = [NODE_MODULES / ".bin" / "codex", "exec", "--skip-git-repo-check", text]
    return Call(command, {"CODEX_HOME": str(folder), "MEMSITE_KEY": site.key})


def _prepare_opencode(site: RunningSite, folder: Path, text: str) -> Call:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Memsite",
        "options": {"baseURL": f"{site.url}/v1", "apiKey": "{env:MEMSITE_KEY}"},
        "models": {"memsite": {"name": "Memsite"}},
    }
    configuration = {
        "provider": {"memsite": provider},
        "model": "memsite/memsite",
        "small_model": "memsite/memsite",
    }
    (folder / "opencode.json").write_text(json.dumps(configuration), encoding="utf-8")
    away = {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}  # of other addresses
    variables = {"MEMSITE_KEY": site.key, **away}
    return Call([NODE_MODULES / ".bin" / "opencode", "run", *text.split()], variables)


def _prepare_aider(site: RunningSite, folder: Path, text: str) -> Call:
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)  # noqa: S607 - the machine's git
    (folder / "calc.py").write_text("print(1 + 1)\n", encoding="utf-8")
    command = [PROGRAMS / "aider" / "bin" / "aider", "--model", "openai/memsite", *OPTIONS_OF_AIDER]
    variables = {"OPENAI_API_BASE": f"{site.url}/v1", "OPENAI_API_KEY": site.key}
    return Call([*command, "--message", text, "calc.py"], variables)


def _prepare_llm(site: RunningSite, folder: Path, text: str) -> Call:
    lines = [
        "- model_id: memsite",
        "  model_name: memsite",
        f'  api_base: "{site.url}/v1"',
        "  api_key_name: memsite",
    ]
    (folder / "extra-openai-models.yaml").write_text("\n".join(lines), encoding="utf-8")
    (folder / "keys.json").write_text(json.dumps({"memsite": site.key}), encoding="utf-8")
    command = [PROGRAMS / "llm" / "bin" / "llm", "-m", "memsite", text]
    return Call(command, {"LLM_USER_PATH": str(folder)})


def _prepare_ai_sdk(site: RunningSite, folder: Path, text: str) -> Call:
    script = PROGRAMS / "agents" / "ask_ai_sdk.mjs"  # beside its packages, where Node looks for them
    script.write_text((SCRIPTS / "node" / script.name).read_text(encoding="utf-8"), encoding="utf-8")
    return Call([find_node("agents"), script, site.url, site.key, text])


AGENTS = (
    AgentProgram("Codex", "@openai/codex", _prepare_codex, "Minka"),
    AgentProgram("opencode", "opencode-ai", _prepare_opencode, "Rufus"),
    AgentProgram("aider", "aider-chat", _prepare_aider, "Bruno", _python("aider")),
    AgentProgram("llm", "llm", _prepare_llm, "Tilda", _python("llm")),
    AgentProgram("smolagents", "smolagents", _ask_by_script("smolagents"), "Oskar", _python("smolagents")),
    AgentProgram(
        "Pydantic AI", "pydantic-ai-slim", _ask_by_script("pydantic_ai"), "Wanda", _python("pydantic_ai")
    ),
    AgentProgram(
        "LlamaIndex, OpenAILike",
        "llama-index-llms-openai-like",
        _ask_by_script("llama_index"),
        "Lotta",
        _python("llama_index"),
    ),
    AgentProgram(
        "AI SDK with @ai-sdk/openai-compatible", "@ai-sdk/openai-compatible", _prepare_ai_sdk, "Selma"
    ),
)
