"""Let LlamaIndex's model for compatible servers answer. Arguments: address, key, text."""

import sys

from llama_index.core.llms import ChatMessage
from llama_index.llms.openai_like import OpenAILike

url, key, text = sys.argv[1:]
model = OpenAILike(model="memsite", api_base=f"{url}/v1", api_key=key, is_chat_model=True)
model.chat([ChatMessage(role="user", content=text)])
