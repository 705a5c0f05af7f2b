"""Keys of model providers and related tools."""

from __future__ import annotations

from typing import Final

from memories.gate.formats.format import ALNUM, HEX, UUID, WORD, Format

# Many vendors use `sk-`. A plain key must contain a digit, which CSS classes and slugs rarely do.
_PLAIN_SK: Final = rf"sk-(?=[A-Za-z]{{0,60}}[0-9]){ALNUM}{{20,180}}"
_OPENAI: Final = rf"sk-(?:proj|svcacct|admin|service|None)-{WORD}{{20,250}}"

AI: Final = (
    Format("anthropic_key", ("sk-ant-",), rf"sk-ant-{WORD}{{20,250}}"),
    Format("openrouter_key", ("sk-or-",), r"sk-or-(?:v1-)?[0-9a-f]{40,80}"),
    Format("langfuse_key", ("sk-lf-",), rf"sk-lf-{UUID}"),
    Format("openai_key", ("sk-",), _OPENAI),
    Format("sk_key", ("sk-",), _PLAIN_SK),
    Format("cerebras_key", ("csk-",), rf"csk-{ALNUM}{{40,64}}"),
    Format("groq_key", ("gsk_",), rf"gsk_{ALNUM}{{40,80}}"),
    Format("xai_key", ("xai-",), rf"xai-{ALNUM}{{60,100}}"),
    Format("perplexity_key", ("pplx-",), rf"pplx-{ALNUM}{{40,64}}"),
    Format("huggingface_token", ("hf_", "api_org_"), rf"(?:hf|api_org)_{ALNUM}{{30,50}}"),
    Format("replicate_token", ("r8_",), rf"r8_{ALNUM}{{32,48}}"),
    Format("nvidia_key", ("nvapi-",), rf"nvapi-{WORD}{{50,90}}"),
    Format("together_key", ("tgp_v1_",), rf"tgp_v1_{WORD}{{40,64}}"),
    Format("fireworks_key", ("fw_",), rf"fw_(?=[A-Za-z]{{0,30}}[0-9]){ALNUM}{{22,32}}"),
    Format("voyage_key", ("pa-",), rf"pa-(?=[A-Za-z_-]{{0,42}}[0-9]){WORD}{{43}}"),
    Format("jina_key", ("jina_",), rf"jina_{HEX}{{32}}{WORD}{{20,40}}"),
    Format("tavily_key", ("tvly-",), rf"tvly-(?:dev-|prod-)?{ALNUM}{{24,50}}"),
    Format("pinecone_key", ("pcsk_",), rf"pcsk_{ALNUM}{{4,8}}_{ALNUM}{{50,80}}"),
    Format("langsmith_key", ("lsv2_",), rf"lsv2_(?:pt|sk)_{HEX}{{32}}_{HEX}{{10}}"),
    Format("elevenlabs_key", ("sk_",), rf"sk_{HEX}{{48}}"),
    Format("zhipu_key", (".",), rf"{HEX}{{32}}\.[A-Za-z0-9]{{16}}"),
    Format("wandb_key", ("wandb_v1_",), rf"wandb_v1_{WORD}{{30,100}}"),
)
