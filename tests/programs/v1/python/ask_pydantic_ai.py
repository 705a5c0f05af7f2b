"""Let an agent of Pydantic AI answer, by chat completions and by Responses. Arguments: address, key, text."""

import sys

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

url, key, text = sys.argv[1:]
provider = OpenAIProvider(base_url=f"{url}/v1", api_key=key)
first = Agent(OpenAIChatModel("memsite", provider=provider)).run_sync(text)
history = first.all_messages()
Agent(OpenAIResponsesModel("memsite", provider=provider)).run_sync("Go on.", message_history=history)
